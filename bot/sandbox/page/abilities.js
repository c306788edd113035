// What a message can know and ask of the pane it stands in: `does` in the modules that draw messages.

import { addressOf } from "/page/address.js";
import { isPast } from "/page/chats.js";
import { el, plainly } from "/page/dom.js";
import { meaning } from "/page/links.js";
import { openMenu } from "/page/menu.js";
import { copy, share } from "/page/notices.js";
import { senderOf } from "/page/senders.js";
import { excerpt, spoken } from "/page/service.js";
import { directionOf, fill, spokenFor } from "/page/words.js";

/** For the person and chat that the pane shows now. */
export function abilities(pane) {
  const { person, world, words, root } = pane;
  const code = person.language_code;
  return {
    bot: world.bot,
    words,
    locale: code ?? "en",
    direction: directionOf(code),
    reading: directionOf(spokenFor(code)), // of the words, which may be English
    me: person.id,
    inGroup: pane.inGroup,
    sender: (message) => senderOf(message, pane.world),
    name: (user) => (user.is_bot ? world.bot.first_name : user.first_name),
    tap: (message, row, column, place) => pane.tap(message, row, column, place),
    link: (url) => link(url, pane),
    command: (text) => el("button", { type: "button", class: "inline", onclick: () => pane.say({ text }) }),
    copy: (text) => copy(text, words, root),
    share: (target) => share(target, { ...pane.world, person, words, root }),
    find: (messageId) => pane.history.find(messageId),
    busy: (place) => pane.taps.busy(place),
    menu: (message, button) => menu(message, button, pane),
  };
}

/** A link that does what Telegram would do: a deep link starts here, everything else opens in a new tab. */
function link(url, pane) {
  const target = meaning(url, pane.world.bot.username);
  if (target.kind === "start") {
    const href = addressOf([{ as: pane.person.id }], target.payload);
    return el("a", { href, onclick: plainly(() => pane.follow(target.payload)) });
  }
  if (target.kind === "share") {
    return el("button", { type: "button", class: "inline", onclick: () => pane.does.share(target) });
  }
  if (target.kind === "none") return el("span");
  return el("a", { href: target.url, target: "_blank", rel: "noopener noreferrer" });
}

/** An ephemeral message can't be answered, forwarded or deleted by people. */
function menu(message, button, pane) {
  const { words, does } = pane;
  const text = spoken(message, words);
  const copying = text ? [[words.copyText, () => does.copy(text)]] : [];
  const items = message.ephemeral_message_id
    ? copying
    : [reply(message, pane), ...copying, ...forwards(message, pane), remove(message, pane)];
  const look = { dir: does.direction, lang: spokenFor(pane.person.language_code) };
  if (items.length) openMenu(button, words.menu, items, look);
}

function reply(message, { words, does, composer }) {
  const name = message.out ? words.you : does.sender(message).name;
  return [words.reply, () => composer.reply(message.message_id, name, excerpt(message, words), words)];
}

function forwards({ message_id }, pane) {
  const others = pane.chats.filter((chat) => chat.id !== pane.chatId && !isPast(chat));
  return others.map((chat) => [
    fill(pane.words.forward, { what: chat.title ?? pane.world.bot.first_name }),
    () => pane.perform("forward", { message_id, to: chat.id }),
  ]);
}

function remove({ message_id }, pane) {
  return [pane.words.remove, () => pane.perform("delete", { message_id })];
}
