// One message as a list item: quote, text or document, time, and the keyboard under the bubble.

import { el, icon } from "/page/dom.js";
import { formatted } from "/page/entities.js";
import { keyboard } from "/page/keyboard.js";

const QUOTE_LENGTH = 160;

export const itemId = (messageId) => `message-${messageId}`;

/** Text of a message, whatever its kind. */
export const spoken = (message) => message.text ?? message.caption ?? message.document?.file_name ?? "";

/** The list item of a message. `does` is what a message can ask of the page; see chat.js. */
export function item(message, does) {
  const bubble = el(
    "div",
    { class: "bubble" },
    el("span", { class: "unseen" }, `${message.out ? does.words.you : does.bot.first_name}: `),
    quote(message.reply_to_message, does),
    file(message.document, does),
    body(message, does),
  );
  const side = message.out ? "out" : "in";
  return el(
    "li",
    { class: `message ${side}`, id: itemId(message.message_id), tabindex: -1, "data-date": message.date },
    bubble,
    keyboard(message, does),
  );
}

function body(message, does) {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities;
  return el("div", { class: "text", dir: "auto" }, formatted(text, entities, does), meta(message, does));
}

/** The time has a direction of its own: dir="auto" passes it over when it looks for the first strong letter. */
function meta(message, does) {
  const date = new Date(message.date * 1000);
  const clock = new Intl.DateTimeFormat(does.locale, { hour: "2-digit", minute: "2-digit" }).format(date);
  const edited = message.edit_date ? el("span", { class: "edited" }, does.words.edited, " ") : null;
  const time = el("time", { datetime: date.toISOString(), title: date.toLocaleString(does.locale) }, clock);
  return el("span", { class: "meta" }, el("span", { dir: does.direction }, edited, time));
}

function quote(original, does) {
  if (!original) return null;
  const text = spoken(original).replace(/\s+/gu, " ");
  const excerpt = text.length > QUOTE_LENGTH ? `${[...text].slice(0, QUOTE_LENGTH).join("")}…` : text;
  return el(
    "button",
    {
      type: "button",
      class: "quote",
      "data-original": original.message_id,
      onclick: () => does.find(original.message_id),
    },
    el("span", { class: "quote-name", dir: "auto" }, nameOf(original, does)),
    el("span", { class: "quote-text", dir: "auto" }, excerpt),
  );
}

function nameOf(message, does) {
  return message.from?.is_bot ? does.bot.first_name : does.words.you;
}

/** Quotes of a message that was deleted say so and lead nowhere. */
export function orphan(root, messageId, words) {
  for (const button of root.querySelectorAll(`.quote[data-original="${messageId}"]`)) {
    button.disabled = true;
    button.querySelector(".quote-text").textContent = words.deleted;
  }
}

function file(document, does) {
  if (!document) return null;
  const name = document.file_name ?? does.words.document;
  return el(
    "a",
    { class: "file", href: document.url, download: name },
    el("span", { class: "file-icon" }, icon("file")),
    el(
      "span",
      { class: "file-about" },
      el("span", { class: "file-name", dir: "auto" }, name),
      el("span", { class: "file-size" }, size(document.file_size, does.locale)),
    ),
  );
}

function size(bytes, locale) {
  if (bytes === undefined) return "";
  const unit = bytes < 1000 ? "byte" : bytes < 1_000_000 ? "kilobyte" : "megabyte";
  const value = bytes / { byte: 1, kilobyte: 1000, megabyte: 1_000_000 }[unit];
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale, style).format(value);
}
