// The sandbox's time, and the trouble Telegram may have.

import { el, redraw } from "/page/dom.js";
import { act } from "/page/server.js";

const STEPS = [
  ["+1 min", 60],
  ["+1 h", 3600],
  ["+1 day", 86_400],
];
const TROUBLE = {
  flood: ["Flood limit", "Each call is answered 429, try again later, for 30 seconds."],
  slow: ["Slow", "Each call takes two seconds longer."],
  lost: ["Answers lost", "Calls are carried out, but the bot never hears so."],
  broken: ["Broken", "Each call is answered 502, Bad Gateway."],
};
const FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" });
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export class LabWorld {
  #ahead = 0; // ms of the sandbox's time before this machine's
  #trouble = [];
  #world = null;
  #time = el("p", { class: "clock" });
  #ahead_of = el("p", { class: "aside" });
  #until = el("input", { type: "datetime-local", step: 1, id: "clock-until", required: true });
  #switches = el("ul", { class: "switches" });
  #timer = null;

  /** `onTrouble(on)` is told whether there is any. */
  constructor(root, page, onTrouble) {
    this.root = root;
    this.page = page;
    this.onTrouble = onTrouble;
    const go = (event) => {
      event.preventDefault();
      this.#forward(Math.ceil((new Date(this.#until.value) - this.#now()) / 1000));
    };
    root.append(
      el("h3", {}, "Clock"),
      this.#time,
      this.#ahead_of,
      el("div", { class: "buttons" }, ...STEPS.map(([label, s]) => button(label, () => this.#forward(s)))),
      el(
        "form",
        { class: "line", onsubmit: go },
        el("label", { for: "clock-until", class: "unseen" }, "Forward to"),
        this.#until,
        el("button", { class: "action quiet" }, "Forward to"),
      ),
      el("h3", {}, "Trouble"),
      el("p", { class: "aside" }, "What Telegram's servers do on a bad day. A bot should get over each of them."),
      this.#switches,
    );
    setInterval(() => this.#tick(), 1000);
  }

  draw() {
    const world = this.page.world();
    if (world !== this.#world) {
      this.#world = world;
      this.#set(world.now);
      this.#show(world.trouble);
    }
    this.#tick();
  }

  #now() {
    return new Date(Date.now() + this.#ahead);
  }

  #set(now) {
    this.#ahead = new Date(now) - Date.now();
    this.#until.value = local(this.#now());
    this.#tick();
  }

  #tick() {
    if (this.root.hidden) return;
    this.#time.textContent = FORMAT.format(this.#now());
    const minutes = Math.round(this.#ahead / 60_000);
    this.#ahead_of.textContent = minutes ? `${ZONE}, ${span(minutes)} ahead of this machine` : `${ZONE}, as on this machine`;
  }

  #forward(seconds) {
    if (!(seconds > 0)) return this.page.pane().tell("The sandbox's clock only goes forward.");
    return this.page.pane().attempt(async () => this.#set((await act("clock", { forward_s: seconds })).now));
  }

  #switch(what, on) {
    const chat = this.#only?.checked ? { chat: this.page.pane().chatId } : {};
    return this.page.pane().attempt(async () => {
      const was = this.#trouble.filter((one) => one.what === what);
      const places = on ? [chat] : was.map((one) => (one.chat === null ? {} : { chat: one.chat }));
      for (const place of places) this.#show((await act("trouble", { what, on, ...place })).trouble);
    });
  }

  get #only() {
    return this.#switches.querySelector("#only-here");
  }

  #show(trouble) {
    this.#trouble = trouble;
    this.onTrouble(trouble.length > 0);
    const limited = this.#only?.checked ?? false;
    const only = el("input", { type: "checkbox", id: "only-here", "data-focus": "only", checked: limited });
    redraw(
      this.#switches,
      ...Object.entries(TROUBLE).map(([what, texts]) => this.#item(what, ...texts)),
      el("li", { class: "line" }, only, el("label", { for: "only-here" }, "Switch on for the open chat only")),
    );
    clearTimeout(this.#timer);
    const ends = trouble.filter((one) => one.left_s > 0).map((one) => one.left_s);
    if (ends.length) this.#timer = setTimeout(() => this.page.refresh().then(() => this.draw()), Math.min(...ends) * 1000 + 200);
  }

  #item(what, name, text) {
    const on = this.#trouble.some((one) => one.what === what);
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          role: "switch",
          class: "switch",
          "aria-checked": String(on),
          "aria-describedby": `about-${what}`,
          "data-focus": what,
          onclick: () => this.#switch(what, !on),
        },
        name,
      ),
      el("p", { class: "aside", id: `about-${what}` }, text),
    );
  }
}

const button = (label, onclick) => el("button", { type: "button", class: "action quiet", onclick }, label);

/** As an input of type datetime-local wants it. */
const local = (date) => new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

function span(minutes) {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  const parts = [[days, "d"], [hours, "h"], [minutes % 60, "min"]].filter(([n]) => n);
  return parts.map(([n, unit]) => `${n} ${unit}`).join(" ");
}
