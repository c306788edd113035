// One person's view of one chat: what arrives there from the sandbox, and what the person does.

import { abilities } from "/page/abilities.js";
import { Composer } from "/page/composer.js";
import { $ } from "/page/dom.js";
import { Feed, GENERAL, keyOf, topicOf } from "/page/feed.js";
import { Frame } from "/page/frame.js";
import { History } from "/page/history.js";
import { heard } from "/page/message.js";
import { alertWith, announce, toast } from "/page/notices.js";
import { act, Refused, Stream, Undelivered } from "/page/server.js";
import { Taps } from "/page/taps.js";
import { fill, wordsFor } from "/page/words.js";

export class Pane {
  person = null;
  chats = []; // the person's list, as the sandbox tells it
  chatId = null;
  topic = GENERAL;
  payload = null; // of a deep link that waits for Start
  up = true; // nothing to say while the first connection is made
  #feed = new Feed();
  #unread = new Map(); // by topic, of the open forum
  #stream = null;
  #list = null;
  #known = false; // whether the history of this chat has come
  #successor = null; // the supergroup this group became
  #awaited = null; // a chat to open once it is there

  /** `host` offers world, and is told: moved(pane, how), listed(pane), lost(pane). */
  constructor(host) {
    this.host = host;
    this.root = $("pane").content.firstElementChild.cloneNode(true);
    this.frame = new Frame(this.root, this);
    this.history = new History(this.root);
    this.composer = new Composer(this.root, (body) => this.say(body));
    this.taps = new Taps((place, busy) => this.history.showBusy(place, busy));
    this.root.querySelector(".start").addEventListener("click", () => this.#start());
  }

  get world() {
    return this.host.world;
  }

  /** The open chat as in the list; null for a group that isn't there (yet). */
  get here() {
    const listed = this.chats.find(({ id }) => id === this.chatId);
    return listed ?? (this.inGroup ? null : { id: this.chatId, type: "private" });
  }

  get inGroup() {
    return this.chatId !== this.person.id;
  }

  get inForum() {
    return this.here?.type === "forum";
  }

  /** For the address. */
  get place() {
    const topic = this.inForum && this.topic !== GENERAL ? this.topic : null;
    return { as: this.person.id, chat: this.inGroup ? this.chatId : null, topic };
  }

  /** Somebody's phone, opened at {chat, topic}; `start` is the payload of a deep link they followed. */
  become(person, { chat = null, topic = null } = {}, start = null) {
    const same = person.id === this.person?.id;
    const stays = same && (chat ?? person.id) === this.chatId && (topic ?? GENERAL) === this.topic;
    this.person = person;
    this.payload = start;
    this.words = wordsFor(person.language_code);
    this.does = abilities(this);
    this.frame.dress();
    if (!same) this.#watchList();
    if (!stays) this.#enter(chat ?? person.id, topic);
    this.frame.draw();
  }

  close() {
    this.#list?.close();
    this.#stream?.close();
    this.root.remove();
  }

  /** Opens another chat of this person, or another topic; `start` waits there. */
  open(chatId, topic = null, start = null) {
    this.payload = start;
    this.#enter(chatId, topic);
    this.frame.close();
    this.frame.draw();
    this.host.moved(this, "push");
  }

  /** The same, as soon as the list says that the person is there. */
  openSoon(chatId) {
    if (this.chats.some(({ id }) => id === chatId)) this.open(chatId);
    else this.#awaited = chatId;
  }

  /** True when it was done; else the person is told. */
  async attempt(doing) {
    try {
      await doing();
      return true;
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      this.tell(error instanceof Refused ? error.message : this.words.failed);
      return false;
    }
  }

  tell(text) {
    toast(text, this.root);
  }

  deliver(name, body) {
    return this.attempt(() => act(name, { person: this.person.id, ...body }));
  }

  /** The person's own act in this chat; see page_acts.py. */
  perform(name, body = {}) {
    return this.deliver("act", { act: name, chat: this.chatId, ...body });
  }

  /** The texts of the open chat that are unread in each topic. */
  unreadIn(topic) {
    return this.#unread.get(topic) ?? 0;
  }

  #spot() {
    return this.inForum ? { chat: this.chatId, thread: this.topic } : { chat: this.chatId };
  }

  #enter(chatId, topic) {
    const sameChat = chatId === this.chatId && this.#stream;
    this.chatId = chatId;
    this.topic = topic ?? GENERAL;
    this.does = abilities(this);
    this.composer.clear();
    if (sameChat) this.#show(false);
    else this.#connect();
  }

  #watchList() {
    this.#list?.close();
    this.#stream?.close();
    this.#stream = null;
    this.chats = [];
    this.#list = new Stream("chats", { person: this.person.id }, ({ chats }) => this.#listed(chats));
  }

  #listed(chats) {
    const before = this.here;
    this.chats = chats;
    if (!this.here) this.#leave(before);
    else if (!this.#stream) this.#connect();
    if (this.inForum && !this.here.topics.some(({ id }) => id === this.topic)) this.open(this.chatId);
    this.#goAlong();
    this.frame.draw();
    this.host.listed(this);
  }

  /** Back to the bot from a group the person isn't in; they are told if they were. */
  #leave(before) {
    if (before) this.tell(fill(this.words.outside, { what: before.title }));
    this.#enter(this.person.id, null);
    this.host.moved(this, "replace");
  }

  /** Goes along when the group becomes a supergroup. */
  #goAlong() {
    const next = this.#awaited ?? this.here?.migrated_to ?? this.#successor;
    if (!next || !this.chats.some(({ id }) => id === next)) return;
    this.#awaited = null;
    this.open(next);
  }

  /** A group is entered once the list says that the person is there. */
  #connect() {
    this.#stream?.close();
    this.#stream = null;
    this.#known = false;
    this.#successor = null;
    this.#unread.clear();
    this.taps.forget();
    this.#feed.replace([]);
    this.history.replace([], this.does, false);
    this.composer.commands = [];
    if (this.here) this.#listen();
  }

  #listen() {
    this.#stream?.close();
    this.up = true;
    const query = { person: this.person.id, chat: this.chatId };
    this.#stream = new Stream("events", query, (event) => this.#handle(event), (isUp) => this.#connection(isUp));
  }

  #connection(isUp) {
    this.up = isUp;
    this.frame.showStatus();
    if (!isUp) this.host.lost(this);
  }

  #handle(event) {
    switch (event.type) {
      case "history":
        this.#feed.replace(event.messages);
        this.taps.forget();
        this.#show(this.#known);
        this.#known = true;
        this.composer.commands = event.commands;
        this.frame.welcome(event.description);
        break;
      case "message":
        this.#arrived(event.message);
        break;
      case "edited":
        this.#edited(event.message);
        break;
      case "deleted":
        this.#deleted(event);
        break;
      case "answered":
        this.#answered(event);
        break;
      case "commands":
        this.composer.commands = event.commands;
        break;
      case "action":
        this.frame.showTyping();
        break;
    }
    this.frame.showFoot();
  }

  #shown() {
    return this.#feed.shown(this.inForum ? this.topic : null);
  }

  #show(same) {
    this.history.replace(this.#shown(), this.does, same);
    this.#unread.delete(this.topic);
  }

  #arrived(message) {
    this.#feed.put(message);
    this.#successor ??= message.migrate_to_chat_id ?? null;
    this.#goAlong();
    this.frame.showTyping(false);
    if (this.inForum && topicOf(message) !== this.topic) return this.#count(message);
    if (!message.replaces || !this.history.edit(message, this.does, message.replaces))
      this.history.add(message, this.does);
    if (!message.out) announce(heard(message, this.does));
  }

  #count(message) {
    if (message.out) return;
    const topic = topicOf(message);
    this.#unread.set(topic, this.unreadIn(topic) + 1);
    this.frame.drawTopics();
  }

  #edited(message) {
    this.#feed.put(message);
    if (!this.#feed.hides(message)) this.history.edit(message, this.does);
  }

  #deleted(event) {
    const key = keyOf(event);
    // What an ephemeral message stood in place of may never have been sent here.
    if (this.#feed.remove(key)) this.#listen();
    else this.history.remove(key, this.words);
  }

  #answered({ callback_query_id: id, text, show_alert: modal, url }) {
    this.taps.answered(id);
    if (url) this.does.link(url).click();
    if (!text) return;
    if (modal) alertWith(text);
    else this.tell(text);
  }

  /** Writes in the open chat and topic. */
  say(body) {
    return this.deliver("say", { ...body, ...this.#spot() });
  }

  tap(message, row, column, place) {
    const { message_id, ephemeral_message_id } = message;
    const body = { person: this.person.id, chat: this.chatId, message_id, ephemeral_message_id, row, column };
    return this.attempt(() => this.taps.tap(place, async () => (await act("tap", body)).callback_query_id));
  }

  async #start() {
    if (!(await this.deliver("start", { payload: this.payload ?? "" }))) return;
    this.payload = null;
    this.host.moved(this, "replace");
    this.frame.showFoot();
  }

  /** Follows a deep link to the bot. From a group it leads into the private chat, where it waits for Start. */
  follow(payload) {
    return this.inGroup ? this.open(this.person.id, null, payload) : this.deliver("start", { payload });
  }
}
