// One message as a list item: sender, quote, text, picture or document, time, and the keyboard under the bubble.

import { el, icon } from "/page/dom.js";
import { formatted } from "/page/entities.js";
import { keyOf } from "/page/feed.js";
import { keyboard } from "/page/keyboard.js";
import { avatar } from "/page/senders.js";
import { excerpt, serviceText, spoken } from "/page/service.js";
import { fill } from "/page/words.js";

const PHOTO_HEIGHT_PX = 380;

/** The list item of a message. `does` is what a message can ask of the page; see pane.js. */
export function item(message, does) {
  const told = serviceText(message, does);
  const marks = { "data-key": keyOf(message), "data-date": message.date };
  if (told !== null) return el("li", { class: "service", ...marks }, el("span", { dir: does.reading }, told));
  const from = does.sender(message);
  return el(
    "li",
    {
      class: `message ${message.out ? "out" : "in"}`,
      tabindex: -1,
      lang: from.code,
      "data-from": `${message.out ? "me" : from.look} ${from.name}`,
      "data-replaces": message.replaces,
      ...marks,
    },
    bubble(message, from, does),
    menuButton(message, does),
    keyboard(message, does),
  );
}

/** What a screen reader is told of a new message: its text, then its buttons. */
export function heard(message, does) {
  const labels = (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text);
  const alone = message.ephemeral_message_id ? `${does.words.onlyYou}: ` : "";
  const line = `${does.sender(message).name}: ${alone}${spoken(message, does.words)}`;
  return [serviceText(message, does) ?? line, ...labels].join("\n");
}

function bubble(message, from, does) {
  const alone = Boolean(message.ephemeral_message_id);
  const others = does.inGroup && !message.out;
  return el(
    "div",
    { class: alone ? "bubble only-me" : "bubble" },
    others ? avatar(from, "small") : null,
    sender(from, others, message, does),
    alone ? el("p", { class: "only-me-note" }, icon("eye"), el("span", { dir: does.reading }, does.words.onlyYou)) : null,
    forwarded(message.forward_origin, does),
    quote(message.reply_to_message, does),
    photo(message, does),
    file(message.document, does),
    body(message, does),
    reactions(message.reactions, does),
  );
}

function sender(from, others, message, { words }) {
  const colon = el("span", { class: "unseen" }, ": ");
  if (!others) return el("span", { class: "unseen" }, `${message.out ? words.you : from.name}: `);
  return el("span", { class: `sender name-${from.look}`, dir: "auto" }, from.name, colon);
}

/** Marks which of neighbouring messages continue one by the same sender, and which end such a run. */
export function arrange(items) {
  for (const one of items.filter(Boolean)) {
    one.classList.toggle("continues", isRun(one.previousElementSibling, one));
    one.classList.toggle("goes-on", isRun(one, one.nextElementSibling));
  }
}

const isRun = (a, b) => Boolean(a?.dataset.from) && a.dataset.from === b?.dataset.from;

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

function forwarded(origin, { words, name }) {
  if (!origin) return null;
  const who = origin.sender_user ? name(origin.sender_user) : (origin.sender_user_name ?? "");
  return el("p", { class: "forwarded", dir: "auto" }, fill(words.forwarded, { who }));
}

function quote(original, does) {
  if (!original || "forum_topic_created" in original) return null; // a topic's messages all answer its first
  const from = original.from?.id === does.me && !original.sender_chat ? does.words.you : does.sender(original).name;
  return el(
    "button",
    {
      type: "button",
      class: "quote",
      "data-original": original.message_id,
      onclick: () => does.find(original.message_id),
    },
    el("span", { class: "quote-name", dir: "auto" }, from),
    el("span", { class: "quote-text", dir: "auto" }, serviceText(original, does) ?? excerpt(original, does.words)),
  );
}

/** Quotes of a message that was deleted say so and lead nowhere. */
export function orphan(root, key, words) {
  for (const button of root.querySelectorAll(`.quote[data-original="${key}"]`)) {
    button.disabled = true;
    button.querySelector(".quote-text").textContent = words.deleted;
  }
}

function photo(message, { words }) {
  const largest = message.photo?.reduce((a, b) => (b.width > a.width ? b : a));
  if (!largest) return null;
  const { url } = largest;
  const scale = Math.min(1, PHOTO_HEIGHT_PX / largest.height); // the room is known before it is loaded
  const [width, height] = [largest.width, largest.height].map((size) => Math.round(size * scale));
  return el(
    "a",
    { class: "photo", href: url, target: "_blank", rel: "noopener" },
    el("img", { src: url, width, height, alt: message.caption ? "" : words.photo }),
    message.caption ? el("span", { class: "unseen" }, words.photo) : null,
  );
}

function reactions(emoji, { bot }) {
  if (!emoji?.length) return null;
  const chips = emoji.map((one) => el("li", {}, one, el("span", { class: "unseen" }, ` ${bot.first_name}`)));
  return el("ul", { class: "reactions" }, ...chips);
}

function menuButton(message, does) {
  const open = (event) => does.menu(message, event.currentTarget);
  const label = does.words.menu;
  return el("button", { type: "button", class: "more", "aria-haspopup": "dialog", "aria-label": label, onclick: open }, icon("more"));
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
