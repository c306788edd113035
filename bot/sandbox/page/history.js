// The list of messages: what is where, what is seen, and where the view stays.

import { $, el } from "/page/dom.js";
import { settle } from "/page/entities.js";
import { item, itemId, orphan } from "/page/message.js";

const NEAR_END_PX = 96;

export class History {
  #list = $("messages");
  #scroller = $("scroller");
  #chip = $("chip");
  #unread = 0;
  #follows = true; // whether the view stays at the end when something is added
  #top = 0;

  constructor() {
    this.#chip.addEventListener("click", () => this.toEnd());
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#follows && this.toEnd("instant")).observe(this.#scroller);
  }

  get empty() {
    return this.#list.childElementCount === 0;
  }

  /** All messages anew; `same` keeps the place that is being read. */
  replace(messages, does, same) {
    const end = !same || this.#follows;
    const top = this.#scroller.scrollTop;
    this.#keepFocus(this.#list, () => {
      this.#list.replaceChildren();
      for (const message of messages) this.#append(message, does);
    });
    settle(this.#list);
    if (end) this.toEnd("instant");
    else this.#scroller.scrollTo({ top, behavior: "instant" });
  }

  add(message, does) {
    const added = this.#append(message, does);
    settle(added);
    if (message.out) this.toEnd();
    else if (this.#follows) this.#show(added);
    else this.#count(does.words);
  }

  edit(message, does) {
    const old = $(itemId(message.message_id));
    if (!old) return;
    this.#keepFocus(old, () => {
      const edited = item(message, does);
      old.replaceWith(edited);
      settle(edited);
    });
    if (this.#follows) this.toEnd();
  }

  remove(messageId, words) {
    $(itemId(messageId))?.remove();
    orphan(this.#list, messageId, words);
  }

  /** Shows a message and lights it up. */
  find(messageId) {
    const found = $(itemId(messageId));
    if (!found) return;
    for (const lit of this.#list.querySelectorAll(".found")) lit.classList.remove("found");
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    found.classList.add("found");
  }

  toEnd(behavior = "auto") {
    this.#follows = true;
    this.#scroller.scrollTo({ top: this.#scroller.scrollHeight, behavior });
    this.#read();
  }

  #append(message, does) {
    const added = item(message, does);
    const day = this.#dayBefore(message, does.locale);
    this.#list.append(...(day ? [day] : []), added);
    return added;
  }

  /** The date, where a message is of another day than the one above it. */
  #dayBefore(message, locale) {
    const last = this.#list.querySelector(".message:last-child");
    if (!last) return null;
    const [before, now] = [last.dataset.date, message.date].map((s) => new Date(s * 1000));
    if (before.toDateString() === now.toDateString()) return null;
    const text = new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(now);
    return el("li", { class: "day" }, el("span", {}, text));
  }

  /** The end of the chat, or the beginning of a message too long to be seen whole. */
  #show(added) {
    const { height } = added.getBoundingClientRect();
    if (height < this.#scroller.clientHeight) this.toEnd();
    else {
      this.#follows = false;
      added.scrollIntoView({ block: "start" });
    }
  }

  /** Only scrolling back stops following: on the way down the end is just not reached yet. */
  #scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const back = scrollTop < this.#top;
    this.#top = scrollTop;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) {
      this.#follows = true;
      this.#read();
    } else if (back) this.#follows = false;
  }

  #count(words) {
    this.#unread += 1;
    this.#chip.textContent = `↓ ${words.unread} (${this.#unread})`;
    this.#chip.hidden = false;
  }

  #read() {
    this.#unread = 0;
    this.#chip.hidden = true;
  }

  /** A focused button is there again after `change`, as the one in its place; else its message. */
  #keepFocus(inside, change) {
    const focused = document.activeElement;
    const held = inside.contains(focused) && focused !== document.body;
    const { place } = focused?.dataset ?? {};
    const message = held ? focused.closest(".message")?.id : null;
    change();
    if (!held) return;
    const again = place && this.#list.querySelector(`[data-place="${place}"]`);
    (again || $(message))?.focus({ preventScroll: true });
  }
}
