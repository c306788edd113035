// The Lab: a drawer for authors and developers. Time, trouble, groups, and the bot's calls.

import { $ } from "/page/dom.js";
import { LabChats } from "/page/lab-chats.js";
import { LabWorld } from "/page/lab-world.js";
import { Log } from "/page/log.js";

const TABS = ["world", "chats", "log"];

export class Lab {
  #tab = TABS[0];
  #parts;

  /** `page` offers pane(), the active one, world(), refresh() and become(person). */
  constructor(page) {
    this.page = page;
    this.#parts = {
      world: new LabWorld($("lab-world"), page, (on) => $("lab-open").classList.toggle("troubled", on)),
      chats: new LabChats($("lab-chats"), page),
      log: new Log($("lab-log"), page),
    };
    $("lab-open").addEventListener("click", () => this.#toggle($("lab").hidden));
    $("lab-close").addEventListener("click", () => this.#toggle(false));
    $("lab").addEventListener("keydown", (event) => this.#press(event));
    for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => this.#choose(tab));
    this.#choose(this.#tab);
  }

  /** After any change of who is active, or of their chats. */
  draw() {
    if (!$("lab").hidden) this.#parts[this.#tab].draw();
  }

  #toggle(open) {
    $("lab").hidden = !open;
    document.body.toggleAttribute("data-lab", open);
    $("lab-open").setAttribute("aria-expanded", String(open));
    // Where the drawer covers the page, the keyboard doesn't get behind it.
    const covers = open && matchMedia("(max-width: 46rem)").matches;
    for (const behind of ["who-you-are", "panes"]) $(behind).inert = covers;
    if (open) this.page.refresh();
    this.draw();
    (open ? $(`tab-${this.#tab}`) : $("lab-open")).focus();
  }

  #choose(chosen) {
    this.#tab = chosen;
    for (const tab of TABS) {
      $(`tab-${tab}`).setAttribute("aria-selected", String(tab === chosen));
      $(`tab-${tab}`).tabIndex = tab === chosen ? 0 : -1;
      $(`lab-${tab}`).hidden = tab !== chosen;
    }
    this.draw();
  }

  #press(event) {
    if (event.key === "Escape") return this.#toggle(false);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.target.role !== "tab") return;
    const next = TABS[(TABS.indexOf(this.#tab) + step + TABS.length) % TABS.length];
    this.#choose(next);
    $(`tab-${next}`).focus();
  }
}
