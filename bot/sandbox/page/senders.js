// Who a message is from, and what they look like.

import { el } from "/page/dom.js";

const COLOURS = 6;

/** {name, look, code?}: `look` is a number for people, "bot" or "chat"; `code` their language. */
export function senderOf(message, { bot, people }) {
  if (message.sender_chat) return { name: message.sender_chat.title, look: "chat" };
  const from = message.from ?? bot;
  if (from.is_bot) return { name: bot.first_name, look: "bot" };
  const person = people.find(({ id }) => id === from.id);
  return { name: from.first_name, look: lookOf(from, people), code: person?.language_code };
}

export const lookOf = (person, people) => Math.max(0, people.findIndex(({ id }) => id === person.id)) % COLOURS;

/** A round picture, square for a group; `more` is a further class. */
export function avatar({ name, look, group }, more = null) {
  if (look === "bot") return el("img", { class: classes("avatar", more), src: "/page/icon.svg", alt: "" });
  const shape = group || look === "chat" ? "group" : null;
  return el("span", { class: classes("avatar", `look-${look}`, shape, more), "aria-hidden": "true" }, initial(name));
}

const classes = (...names) => names.filter(Boolean).join(" ");

/** The first letter with its marks. */
function initial(name) {
  return [...new Intl.Segmenter().segment(name)][0]?.segment.toLocaleUpperCase() ?? "?";
}
