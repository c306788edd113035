// What stands around the messages of a pane: list of chats, bar, topics, foot.

import { badge, drawChats, drawTopics, faceOf, isPast } from "/page/chats.js";
import { el } from "/page/dom.js";
import { avatar, lookOf } from "/page/senders.js";
import { directionOf, fill, spokenFor, translate } from "/page/words.js";

const TYPING_MS = 5000;

export class Frame {
  #typing = null;

  constructor(root, pane) {
    this.pane = pane;
    this.root = root;
    this.#part("back").addEventListener("click", () => this.#list());
    this.#part("chats").addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
  }

  #part(name) {
    return this.root.querySelector(`.${name}`);
  }

  /** Puts on the person's language and direction. */
  dress() {
    const { person, words, world } = this.pane;
    const code = person.language_code;
    this.root.dir = directionOf(code);
    this.root.lang = spokenFor(code);
    this.root.setAttribute("aria-label", person.first_name);
    this.#part("status").dir = this.pane.does.reading;
    this.#part("messages").lang = code ?? "en";
    this.#part("welcome-name").textContent = world.bot.first_name;
    this.#part("who").replaceChildren(
      avatar({ name: person.first_name, look: lookOf(person, world.people) }, "small"),
      el("span", { dir: "auto" }, person.first_name),
    );
    translate(this.root, words, code);
  }

  /** Everything but the messages. */
  draw() {
    const { pane } = this;
    const chats = pane.chats.filter((chat) => !isPast(chat) || chat.id === pane.chatId);
    this.root.classList.toggle("has-chats", chats.length > 1);
    if (chats.length < 2) this.close();
    drawChats(this.#part("chat-list"), chats, pane.chatId, pane.does, (chat) => pane.open(chat.id));
    this.#drawBar(chats);
    this.drawTopics();
    this.showStatus();
    this.showFoot();
  }

  #drawBar(chats) {
    const { here, does } = this.pane;
    const face = here ? faceOf(here, does.bot) : { name: "", look: "chat" };
    this.#part("title").textContent = face.name;
    this.#part("bar-avatar").replaceChildren(avatar(face));
    this.#part("messages").classList.toggle("of-group", does.inGroup);
    const unread = chats.reduce((sum, chat) => sum + chat.unread, 0);
    this.#part("back-badge").replaceChildren(...[badge(unread, does.words)].filter(Boolean));
  }

  drawTopics() {
    const { pane } = this;
    const topics = pane.here?.topics ?? [];
    const unread = new Map(topics.map(({ id }) => [id, pane.unreadIn(id)]));
    this.#part("topics").hidden = !topics.length;
    drawTopics(this.#part("topic-list"), topics, pane.topic, unread, pane.words, (id) => pane.open(pane.chatId, id));
  }

  /** Opens the list of chats where it has no room of its own. */
  #list() {
    this.root.classList.add("listing");
    this.#part("back").setAttribute("aria-expanded", "true");
    this.#part("chat-list").querySelector("[aria-current]")?.focus();
  }

  close() {
    if (!this.root.classList.contains("listing")) return;
    this.root.classList.remove("listing");
    this.#part("back").setAttribute("aria-expanded", "false");
    this.#part("back").focus();
  }

  showTyping(on = true) {
    clearTimeout(this.#typing);
    this.#typing = on ? setTimeout(() => this.showTyping(false), TYPING_MS) : null;
    this.showStatus();
  }

  showStatus() {
    const { up, words } = this.pane;
    this.#part("status").textContent = !up ? words.connecting : this.#typing ? words.typing : this.#about();
    this.#part("status").classList.toggle("lost", !up);
  }

  #about() {
    const { here, words } = this.pane;
    if (!here || here.type === "private") return words.bot;
    const many = here.members === 1 ? words.member : fill(words.members, { n: here.members });
    const own = here.anonymous ? words.anonymous : words[here.status];
    return own && here.status !== "member" ? `${many} · ${own}` : many;
  }

  welcome(description) {
    this.#part("welcome-text").textContent = description ?? "";
    this.#part("welcome-text").hidden = !description;
  }

  /** The big Start, the field, or why nothing can be written. An empty private chat and a deep link begin with Start. */
  showFoot() {
    const { pane } = this;
    const empty = pane.history.empty && !pane.inGroup;
    const note = this.#note();
    const starts = !note?.instead && !pane.inGroup && (empty || pane.payload !== null);
    const goesOn = !starts && document.activeElement === this.#part("start");
    this.root.toggleAttribute("data-empty", empty);
    this.root.dispatchEvent(new CustomEvent("emptied", { bubbles: true }));
    this.#showNote(note);
    this.#part("start").hidden = !starts;
    pane.composer.show(!starts && !note?.instead, pane.words);
    if (goesOn) pane.composer.focus();
  }

  /** {text, label?, act?, instead}: what stands over the field, or in its place. */
  #note() {
    const { pane } = this;
    const { here, words, world } = pane;
    const who = world.bot.first_name;
    if (here?.blocked)
      return { text: words.blocked, label: words.unblock, act: () => pane.perform("unblock"), instead: true };
    if (here && here.type !== "private" && ["left", "kicked"].includes(here.bot))
      return { text: fill(words.botAway, { who }), label: fill(words.addBot, { who }), act: () => pane.perform("add_bot") };
    const leads = ["creator", "administrator"].includes(here?.status);
    const closed = here?.topics?.find(({ id }) => id === pane.topic)?.closed;
    return closed && !leads ? { text: words.closedTopic, instead: true } : null;
  }

  #showNote(note) {
    const box = this.#part("note");
    const signature = JSON.stringify(note);
    if (box.dataset.shows === signature) return;
    box.dataset.shows = signature;
    box.hidden = !note;
    const button = note?.act ? el("button", { type: "button", class: "action", onclick: note.act }, note.label) : null;
    box.replaceChildren(...[el("p", { dir: this.pane.does.reading }, note?.text ?? ""), button].filter(Boolean));
  }
}
