// The text field, the menu of commands above it, and the message it replies to.

import { el, icon } from "/page/dom.js";

let composers = 0;

export class Composer {
  #form;
  #field;
  #menu;
  #slash;
  #reply;
  #commands = [];
  #offered = [];
  #active = 0;
  #repliesTo = null;

  /** `send({text, reply_to?})` is a promise of true when the text was delivered. */
  constructor(root, send) {
    this.send = send;
    this.#form = root.querySelector(".composer");
    this.#field = root.querySelector(".field");
    this.#menu = root.querySelector(".commands");
    this.#slash = root.querySelector(".slash");
    this.#reply = root.querySelector(".replying");
    this.#menu.id = `commands-${(composers += 1)}`;
    for (const part of [this.#field, this.#slash]) part.setAttribute("aria-controls", this.#menu.id);
    this.#listen();
  }

  #listen() {
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
    this.#replyTo(null);
    this.#close();
  }

  focus() {
    // A phone's keyboard would cover half of the chat.
    if (matchMedia("(pointer: fine)").matches) this.#field.focus({ preventScroll: true });
  }

  /** The next message answers this one. `name` and `text` say which it is. */
  reply(messageId, name, text, words) {
    this.#replyTo({ messageId, name, text, words });
    this.#field.focus({ preventScroll: true });
  }

  #replyTo(original) {
    this.#repliesTo = original;
    this.#reply.hidden = !original;
    if (!original) return this.#reply.replaceChildren();
    const { name, text, words } = original;
    const cancel = { type: "button", class: "plain", "aria-label": words.cancel, onclick: () => this.#cancel() };
    this.#reply.replaceChildren(
      icon("reply"),
      el("p", {}, el("span", { class: "quote-name", dir: "auto" }, name), el("span", { class: "quote-text", dir: "auto" }, text)),
      el("button", cancel, icon("close")),
    );
  }

  #cancel() {
    this.#replyTo(null);
    this.#field.focus({ preventScroll: true });
  }

  async #submit(event) {
    event.preventDefault();
    await this.#say(this.#field.value);
  }

  async #say(text) {
    if (!text.trim()) return;
    const original = this.#repliesTo;
    this.clear();
    if (await this.send(original ? { text, reply_to: original.messageId } : { text })) return;
    if (this.#field.value) return;
    this.#field.value = text;
    this.#replyTo(original);
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
      { role: "option", id: this.#optionId(n), onclick: () => this.#say(`/${command}`) },
      el("span", { class: "command", dir: "ltr" }, `/${command}`),
      " ",
      el("span", { class: "description", dir: "auto" }, description),
    );
  }

  #optionId(n) {
    return `${this.#menu.id}-${n}`;
  }

  #choose(n) {
    this.#active = (n + this.#offered.length) % this.#offered.length;
    [...this.#menu.children].forEach((option, i) =>
      option.setAttribute("aria-selected", String(i === this.#active)),
    );
    this.#field.setAttribute("aria-activedescendant", this.#optionId(this.#active));
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
    if (event.isComposing) return;
    const keys = this.#menu.hidden
      ? this.#repliesTo && { Escape: () => this.#cancel() }
      : {
          ArrowDown: () => this.#choose(this.#active + 1),
          ArrowUp: () => this.#choose(this.#active - 1),
          Enter: () => this.#say(`/${this.#offered[this.#active].command}`),
          Escape: () => this.#close(),
        };
    if (!keys || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
