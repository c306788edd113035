// The page: who is chatting, what arrives from the sandbox, and what the person does.

import { Composer } from "/page/composer.js";
import { $, el } from "/page/dom.js";
import { History } from "/page/history.js";
import { meaning, pageLink } from "/page/links.js";
import { spoken } from "/page/message.js";
import { alertWith, announce, copy, share, toast } from "/page/notices.js";
import { drawPeople, personToBe } from "/page/people.js";
import { act, Events, readState, Undelivered } from "/page/server.js";
import { Taps } from "/page/taps.js";
import { directionOf, spokenFor, translate, wordsFor } from "/page/words.js";

const history = new History();
const composer = new Composer((text) => deliver("say", { text }));
const taps = new Taps(showBusy);

let { bot, people } = await readState();
let person = null;
let words = null;
let payload = null; // of a deep link that waits for Start
let events = null;
let up = false;
let does = null; // what a message can ask of the page

function become(someone, start = null) {
  const same = someone.id === person?.id;
  person = someone;
  payload = start;
  words = wordsFor(person.language_code);
  does = abilities();
  dress();
  if (!same) connect();
  showFoot();
}

function abilities() {
  return {
    bot,
    words,
    locale: person.language_code ?? "en",
    direction: directionOf(person.language_code),
    tap,
    link,
    command: (text) => el("button", { type: "button", class: "inline", onclick: () => deliver("say", { text }) }),
    copy: (text) => copy(text, words),
    share: (target) => share(target, { bot, person, people, words }),
    find: (messageId) => history.find(messageId),
    busy: (place) => taps.busy(place),
  };
}

function dress() {
  const code = person.language_code;
  document.title = `${person.first_name} · ${bot.first_name}`;
  $("chat").dir = directionOf(code);
  $("chat").lang = spokenFor(code);
  $("messages").lang = code ?? "en";
  $("bot-name").textContent = $("welcome-name").textContent = bot.first_name;
  translate(words, code);
  drawPeople(people, person, (someone) => go(someone));
  composer.clear();
  showStatus();
}

/** Changes the person, or opens a deep link, as if its address had been followed. */
function go(someone, start = null) {
  window.history.pushState(null, "", pageLink(someone.id, start));
  become(someone, start);
}

function connect() {
  events?.close();
  taps.forget();
  history.replace([], does, false);
  composer.commands = [];
  let known = false;
  up = true; // nothing to say while the first connection is made
  events = new Events(
    person.id,
    (event) => {
      handle(event, known);
      known = true;
    },
    (isUp) => {
      up = isUp;
      showStatus();
      if (!up) checkPeople();
    },
  );
}

/** A sandbox started anew may know other people. */
async function checkPeople() {
  try {
    ({ bot, people } = await readState());
  } catch (error) {
    if (error instanceof TypeError) return; // not there yet
    throw error;
  }
  const again = people.find(({ id }) => id === person.id);
  if (again) person = again;
  else go(people[0]);
}

function handle(event, known) {
  switch (event.type) {
    case "history":
      taps.forget();
      history.replace(event.messages, does, known);
      composer.commands = event.commands;
      welcome(event.description);
      break;
    case "message":
      history.add(event.message, does);
      if (!event.message.out) announce(heard(event.message));
      break;
    case "edited":
      history.edit(event.message, does);
      break;
    case "deleted":
      history.remove(event.message_id, words);
      break;
    case "answered":
      answered(event);
      break;
    case "commands":
      composer.commands = event.commands;
      break;
  }
  showFoot();
}

function heard(message) {
  const labels = (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text);
  return [`${bot.first_name}: ${spoken(message)}`, ...labels].join("\n");
}

function answered({ callback_query_id: id, text, show_alert: modal, url }) {
  taps.answered(id);
  if (url) link(url).click();
  if (!text) return;
  if (modal) alertWith(text);
  else toast(text);
}

function welcome(description) {
  $("welcome-text").textContent = description ?? "";
  $("welcome-text").hidden = !description;
}

/** An empty chat and a deep link both begin with the big Start. */
function showFoot() {
  const starts = history.empty || payload !== null;
  const goesOn = !starts && document.activeElement === $("start");
  document.body.toggleAttribute("data-empty", history.empty);
  $("start").hidden = !starts;
  composer.show(!starts, words);
  if (goesOn) composer.focus();
}

function showStatus() {
  $("status").textContent = up ? words.bot : words.connecting;
  $("status").classList.toggle("lost", !up);
}

function showBusy(place, busy) {
  const button = $("messages").querySelector(`[data-place="${place}"]`);
  if (busy) button?.setAttribute("aria-busy", "true");
  else button?.removeAttribute("aria-busy");
}

function tap(messageId, row, column, place) {
  const body = { person: person.id, message_id: messageId, row, column };
  const send = async () => (await act("tap", body)).callback_query_id;
  return attempt(() => taps.tap(place, send));
}

const deliver = (name, body) => attempt(() => act(name, { person: person.id, ...body }));

/** True when it was delivered; else the person is told. */
async function attempt(doing) {
  try {
    await doing();
    return true;
  } catch (error) {
    if (!(error instanceof Undelivered)) throw error;
    toast(words.failed);
    return false;
  }
}

async function start() {
  const delivered = await deliver("start", { payload: payload ?? "" });
  if (!delivered) return;
  payload = null;
  window.history.replaceState(null, "", pageLink(person.id));
  showFoot();
}

/** A link that does what Telegram would do: a deep link starts here, everything else opens in a new tab. */
function link(url) {
  const target = meaning(url, bot.username);
  if (target.kind === "start") return startLink(target.payload);
  if (target.kind === "share") {
    return el("button", { type: "button", class: "inline", onclick: () => does.share(target) });
  }
  if (target.kind === "none") return el("span");
  return el("a", { href: target.url, target: "_blank", rel: "noopener noreferrer" });
}

function startLink(start) {
  const open = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    deliver("start", { payload: start });
  };
  return el("a", { href: pageLink(person.id, start), onclick: open });
}

function fromAddress() {
  const query = new URLSearchParams(location.search);
  become(personToBe(people, query.get("as")), query.get("start"));
  window.history.replaceState(null, "", pageLink(person.id, payload));
}

$("start").addEventListener("click", start);
window.addEventListener("popstate", fromAddress);
fromAddress();
