// The bot's calls and what they were answered, newest last.

import { el, redraw } from "/page/dom.js";
import { toClipboard } from "/page/notices.js";
import { Stream } from "/page/server.js";

const KEPT = 500;
const NEAR_END_PX = 40;

export class Log {
  #events = []; // as the sandbox sent them, with what the list item is drawn from
  #waiting = [];
  #paused = false;
  #list = el("ol", { class: "log", role: "log", "aria-live": "off", "aria-label": "The bot's calls", tabindex: 0 });
  #filter = el("input", { type: "search", id: "log-filter", placeholder: "Filter: method, chat, text", autocomplete: "off" });
  #pause = el("button", { type: "button", class: "action quiet", "aria-pressed": "false", onclick: () => this.#setPaused() }, "Pause");
  #empty = el("p", { class: "aside" }, "Nothing yet. What the bot asks of Telegram from now on is listed here.");

  constructor(root, page) {
    this.page = page;
    this.#filter.addEventListener("input", () => this.#redraw());
    root.append(
      el(
        "div",
        { class: "line" },
        el("label", { for: "log-filter", class: "unseen" }, "Filter"),
        this.#filter,
        this.#pause,
        el("button", { type: "button", class: "action quiet", onclick: () => this.#clear() }, "Clear"),
      ),
      this.#empty,
      this.#list,
    );
    new Stream("log", {}, (event) => this.#arrived(event));
  }

  draw() {
    this.#list.scrollTop = this.#list.scrollHeight;
  }

  #arrived(event) {
    if (this.#paused) {
      this.#waiting = [...this.#waiting, event].slice(-KEPT);
      this.#pause.textContent = `Go on (${this.#waiting.length})`;
    } else this.#add(event);
  }

  #add(event) {
    const follows = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < NEAR_END_PX;
    const item = entry(event, this.#names(), (text, button) => this.#copy(text, button));
    this.#events.push(item);
    item.hidden = !this.#fits(item);
    this.#list.append(item);
    if (this.#events.length > KEPT) this.#events.shift().remove();
    this.#empty.hidden = true;
    if (follows) this.#list.scrollTop = this.#list.scrollHeight;
  }

  /** What to call a chat, by its id as text. */
  #names() {
    const people = this.page.world().people.map(({ id, first_name: name }) => [String(id), name]);
    const groups = (this.page.pane()?.chats ?? []).map(({ id, title }) => [String(id), title]);
    return new Map([...groups, ...people]);
  }

  #fits(item) {
    return item.dataset.words.includes(this.#filter.value.trim().toLowerCase());
  }

  #redraw() {
    for (const item of this.#events) item.hidden = !this.#fits(item);
    this.draw();
  }

  #setPaused() {
    this.#paused = !this.#paused;
    this.#pause.setAttribute("aria-pressed", String(this.#paused));
    this.#pause.textContent = this.#paused ? "Go on" : "Pause";
    if (!this.#paused) for (const event of this.#waiting.splice(0)) this.#add(event);
  }

  #clear() {
    this.#events = [];
    this.#waiting = [];
    redraw(this.#list);
    this.#empty.hidden = false;
    if (this.#paused) this.#pause.textContent = "Go on";
  }

  async #copy(text, button) {
    await toClipboard(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy JSON"), 2000);
  }
}

/** One line, which unfolds into the JSON of both directions. */
function entry(event, names, copy) {
  const { type, at, ...told } = event;
  const failed = type === "call" ? !event.answer?.ok : event.status >= 300;
  const summary = el(
    "summary",
    {},
    el("time", { datetime: at }, new Date(at).toLocaleTimeString("en-GB")),
    el("span", { class: "log-method" }, type === "call" ? event.method : "webhook"),
    el("span", { class: failed ? "log-answer failed" : "log-answer" }, outcome(event)),
    el("span", { class: "log-about", dir: "auto" }, about(event, names)),
  );
  const details = el("details", {}, summary);
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(...inside(told, copy)));
  return el("li", { "data-words": JSON.stringify(event).toLowerCase() }, details);
}

function inside(told, copy) {
  const json = JSON.stringify(told, null, 2);
  const parts = told.method ? [["Request", told.params], ["Answer", told.answer]] : [["Update", told.update], ["Status", told.status]];
  const button = el("button", { type: "button", class: "action quiet", onclick: () => copy(json, button) }, "Copy JSON");
  return [
    ...parts.flatMap(([name, value]) => [
      el("h4", {}, name),
      el("pre", { dir: "ltr" }, value === null ? "The connection was reset: no answer." : JSON.stringify(value, null, 2)),
    ]),
    button,
  ];
}

function outcome({ type, status, answer }) {
  if (type === "push") return String(status);
  if (!answer) return "no answer";
  return answer.ok ? "ok" : `${answer.error_code}`;
}

/** What it is about, for one who doesn't know the Bot API by heart. */
function about({ method, params, answer, update }, names) {
  if (update) return updated(update);
  if (answer && !answer.ok) return answer.description;
  if (method.toLowerCase() === "getupdates") return (answer?.result ?? []).map(updated).join(", ");
  const where = names.get(String(params.chat_id)) ?? params.chat_id;
  const text = params.text ?? params.caption ?? params.action ?? params.description ?? "";
  const what = params.parse_mode === "HTML" ? text.replace(/<[^>]+>/g, "") : text;
  return [where, what].filter(Boolean).join(": ").replace(/\s+/gu, " ").slice(0, 140);
}

function updated(update) {
  const kind = Object.keys(update).find((name) => name !== "update_id");
  const { from, text, data } = update[kind] ?? {};
  return [kind.replaceAll("_", " "), from ? `from ${from.first_name}` : "", text ?? data ?? ""].filter(Boolean).join(" ");
}
