// The list of messages: what is where, what is seen, and where the view stays.

import { el } from "/page/dom.js";
import { settle } from "/page/entities.js";
import { keyOf } from "/page/feed.js";
import { arrange, item, orphan } from "/page/message.js";

const NEAR_END_PX = 96;

export class History {
  #list;
  #scroller;
  #chip;
  #unread = 0;
  #follows = true; // whether the view stays at the end when something is added
  #top = 0;

  constructor(root) {
    this.#list = root.querySelector(".messages");
    this.#scroller = root.querySelector(".scroller");
    this.#chip = root.querySelector(".chip");
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
    arrange([...this.#list.children]);
    settle(this.#list);
    if (end) this.toEnd("instant");
    else this.#scroller.scrollTo({ top, behavior: "instant" });
  }

  add(message, does) {
    const added = this.#append(message, does);
    this.#settle(added);
    if (message.out) this.toEnd();
    else if (this.#follows) this.#show(added);
    else this.#count(does.words);
  }

  /** Draws a message where it stands, or where the one stands whose key is given. False: that isn't here. */
  edit(message, does, key = keyOf(message)) {
    const old = this.#item(key);
    if (!old) return false;
    this.#keepFocus(old, () => {
      const edited = item(message, does);
      old.replaceWith(edited);
      this.#settle(edited);
      return edited;
    });
    if (this.#follows) this.toEnd();
    return true;
  }

  remove(key, words) {
    const gone = this.#item(key);
    const [before, after] = [gone?.previousElementSibling, gone?.nextElementSibling];
    gone?.remove();
    arrange([before, after]);
    orphan(this.#list, key, words);
  }

  /** Shows a message, or what stands in its place, and lights it up. */
  find(messageId) {
    const found = this.#item(messageId) ?? this.#list.querySelector(`[data-replaces="${messageId}"]`);
    if (!found) return;
    for (const lit of this.#list.querySelectorAll(".found")) lit.classList.remove("found");
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    found.classList.add("found");
  }

  /** A button's wait begins or ends. */
  showBusy(place, busy) {
    const button = this.#list.querySelector(`[data-place="${place}"]`);
    if (busy) button?.setAttribute("aria-busy", "true");
    else button?.removeAttribute("aria-busy");
  }

  toEnd(behavior = "auto") {
    this.#follows = true;
    this.#scroller.scrollTo({ top: this.#scroller.scrollHeight, behavior });
    this.#read();
  }

  #item(key) {
    return this.#list.querySelector(`:scope > [data-key="${key}"]`);
  }

  #append(message, does) {
    const added = item(message, does);
    const day = this.#dayBefore(message, does.locale);
    this.#list.append(...(day ? [day] : []), added);
    return added;
  }

  #settle(one) {
    arrange([one.previousElementSibling, one, one.nextElementSibling]);
    settle(one);
  }

  /** The date, where a message is of another day than the one above it. */
  #dayBefore(message, locale) {
    const last = this.#list.lastElementChild;
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
    const held = inside.contains(focused);
    const { place } = focused?.dataset ?? {};
    const key = held ? focused.closest(".message")?.dataset.key : null;
    const changed = change();
    if (!held) return;
    const again = place && this.#list.querySelector(`[data-place="${place}"]`);
    (again || changed || this.#item(key))?.focus({ preventScroll: true });
  }
}
