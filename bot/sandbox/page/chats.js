// A person's list of chats, and the topics of a forum.

import { addressOf } from "/page/address.js";
import { el, icon, plainly, redraw } from "/page/dom.js";
import { avatar } from "/page/senders.js";
import { excerpt, serviceText } from "/page/service.js";

/** A group that became a supergroup lives on there. */
export const isPast = (chat) => Boolean(chat.migrated_to ?? chat.last?.migrate_to_chat_id);

/** How a chat is drawn: {name, look}. */
export function faceOf(chat, bot) {
  if (chat.type === "private") return { name: bot.first_name, look: "bot" };
  return { name: chat.title, look: Math.abs(chat.id) % 6, group: true };
}

/** The list; `open(chat)` is called for a plain click. `does` as in pane.js. */
export function drawChats(list, chats, here, does, open) {
  redraw(list, ...chats.map((chat) => el("li", {}, entry(chat, chat.id === here, does, open))));
}

function entry(chat, current, does, open) {
  const face = faceOf(chat, does.bot);
  return el(
    "a",
    {
      class: "chat-entry",
      href: addressOf([{ as: does.me, chat: chat.id === does.me ? null : chat.id }]),
      "aria-current": current ? "true" : null,
      "data-focus": `chat ${chat.id}`,
      onclick: plainly(() => open(chat)),
    },
    avatar(face),
    el("span", { class: "chat-about" }, el("span", { class: "chat-name", dir: "auto" }, face.name), last(chat, does)),
    badge(chat.unread, does.words),
  );
}

function last({ last: message, type }, does) {
  if (!message) return null;
  const told = serviceText(message, does);
  const who = type === "private" || told ? null : message.out ? does.words.you : does.sender(message).name;
  const text = told ?? excerpt(message, does.words, 80);
  return el("span", { class: "chat-last", dir: "auto" }, el("bdi", {}, who ? `${who}: ` : ""), text);
}

/** How many are unread, or nothing. */
export function badge(count, words) {
  if (!count) return null;
  return el("span", { class: "badge" }, el("span", { class: "unseen" }, `${words.unread}: `), String(count));
}

/** The topics of a forum; `unread` counts by id. */
export function drawTopics(list, topics, here, unread, words, open) {
  redraw(list, ...topics.map((topic) => el("li", {}, tab(topic, topic.id === here, unread.get(topic.id), words, open))));
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function tab({ id, name, closed }, current, unread, words, open) {
  return el(
    "button",
    {
      type: "button",
      class: "topic",
      "aria-current": current ? "true" : null,
      "data-focus": `topic ${id}`,
      title: closed ? words.closedTopic : null,
      onclick: () => open(id),
    },
    closed ? icon("lock") : null,
    el("span", { dir: "auto" }, name),
    badge(unread, words),
  );
}
