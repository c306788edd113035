// The text field and the menu of commands above it.

import { $, el } from "/page/dom.js";

export class Composer {
  #form = $("composer");
  #field = $("field");
  #menu = $("commands");
  #slash = $("slash");
  #commands = [];
  #offered = [];
  #active = 0;

  /** `send(text)` is a promise of true when the text was delivered. */
  constructor(send) {
    this.send = send;
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    this.#field.addEventListener("input", () => this.#offer());
    this.#field.addEventListener("keydown", (event) => this.#press(event));
    this.#field.addEventListener("blur", () => this.#close());
    this.#slash.addEventListener("click", () => this.#toggle());
    // Keeps the focus in the field, so that a click into the menu doesn't close it first.
    for (const part of [this.#menu, this.#slash])
      part.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  set commands(commands) {
    this.#commands = commands;
    this.#slash.hidden = !commands.length;
    if (!this.#menu.hidden) this.#offer();
  }

  /** Shows or hides the whole; the words are those of the person. */
  show(shown, words) {
    this.#form.hidden = !shown;
    this.#field.placeholder = words.field;
  }

  clear() {
    this.#field.value = "";
    this.#close();
  }

  focus() {
    // A phone's keyboard would cover half of the chat.
    if (matchMedia("(pointer: fine)").matches) this.#field.focus({ preventScroll: true });
  }

  async #submit(event) {
    event.preventDefault();
    await this.#say(this.#field.value);
  }

  async #say(text) {
    if (!text.trim()) return;
    this.clear();
    if (!(await this.send(text)) && !this.#field.value) this.#field.value = text;
  }

  #toggle() {
    const open = !this.#menu.hidden;
    this.#field.value = open ? "" : "/";
    this.#field.focus({ preventScroll: true });
    this.#offer();
  }

  #offer() {
    const typed = /^\/([a-z0-9_]*)$/i.exec(this.#field.value)?.[1].toLowerCase();
    const fits = this.#commands.filter(({ command }) => typed !== undefined && command.startsWith(typed));
    // A command typed in full comes before longer ones that begin alike.
    this.#offered = fits.sort((a, b) => (b.command === typed) - (a.command === typed));
    if (!this.#offered.length) return this.#close();
    this.#menu.replaceChildren(...this.#offered.map((command, n) => this.#option(command, n)));
    this.#set(true);
    this.#choose(0);
  }

  #option({ command, description }, n) {
    return el(
      "li",
      { role: "option", id: `command-${n}`, onclick: () => this.#say(`/${command}`) },
      el("span", { class: "command", dir: "ltr" }, `/${command}`),
      " ",
      el("span", { class: "description", dir: "auto" }, description),
    );
  }

  #choose(n) {
    this.#active = (n + this.#offered.length) % this.#offered.length;
    [...this.#menu.children].forEach((option, i) =>
      option.setAttribute("aria-selected", String(i === this.#active)),
    );
    this.#field.setAttribute("aria-activedescendant", `command-${this.#active}`);
    this.#menu.children[this.#active].scrollIntoView({ block: "nearest" });
  }

  #close() {
    this.#set(false);
    this.#field.removeAttribute("aria-activedescendant");
  }

  #set(open) {
    this.#menu.hidden = !open;
    for (const part of [this.#field, this.#slash]) part.setAttribute("aria-expanded", String(open));
  }

  #press(event) {
    if (this.#menu.hidden || event.isComposing) return;
    const keys = {
      ArrowDown: () => this.#choose(this.#active + 1),
      ArrowUp: () => this.#choose(this.#active - 1),
      Enter: () => this.#say(`/${this.#offered[this.#active].command}`),
      Escape: () => this.#close(),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
