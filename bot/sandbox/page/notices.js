// What comes over the chat: toasts, alerts, the share dialog; and what only a screen reader hears.

import { addressOf } from "/page/address.js";
import { $, el } from "/page/dom.js";
import { meaning } from "/page/links.js";

const TOAST_MS = 3000;
const TOAST_MS_PER_LETTER = 50;
const HEARD_MS = 10_000;

/** One at a time over a chat, as in Telegram: a new one takes the place of the one before. */
export function toast(text, root = document) {
  const shown = el("p", { class: "toast", dir: "auto" }, text);
  root.querySelector(".toasts").replaceChildren(shown);
  setTimeout(() => shown.remove(), TOAST_MS + TOAST_MS_PER_LETTER * text.length);
}

/** For screen readers only: an addition to a live region, gone when it has been read. */
export function announce(text) {
  const heard = el("p", {}, text);
  $("announcer").append(heard);
  setTimeout(() => heard.remove(), HEARD_MS);
}

const alerts = [];

/** A modal alert; a second one waits until the first is closed. */
export function alertWith(text) {
  alerts.push(text);
  if (!$("alert").open) nextAlert();
}

function nextAlert() {
  const text = alerts.shift();
  if (text === undefined) return;
  $("alert-text").textContent = text;
  $("alert").showModal();
}

$("alert").addEventListener("close", nextAlert);

/** The share dialog: link and text to copy, and the link opened as someone else here. */
export function share({ url, text }, { bot, person, people, words, root }) {
  $("share-text").textContent = text;
  $("share-link").textContent = url;
  const target = meaning(url, bot.username);
  const others = target.kind === "start" ? people.filter(({ id }) => id !== person.id) : [];
  $("share-as").replaceChildren(...others.map((other) => openAs(other, target.payload, words)));
  $("share-copy").onclick = async () => {
    await copy([text, url].filter(Boolean).join("\n"), words, root);
    $("share").close();
  };
  $("share").showModal();
}

function openAs(person, payload, words) {
  const href = addressOf([{ as: person.id }], payload);
  return el("li", {}, el("a", { href, class: "action quiet", dir: "auto" }, `${words.openAs} ${person.first_name}`));
}

export async function copy(text, words, root) {
  await toClipboard(text);
  toast(words.copied, root);
}

export async function toClipboard(text) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyTheOldWay(text);
}

/** Over plain HTTP from another machine there is no clipboard API. */
function copyTheOldWay(text) {
  const area = el("textarea", { class: "unseen" });
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
