// The inline keyboard under a message.

import { el } from "/page/dom.js";
import { keyOf } from "/page/feed.js";
import { meaning } from "/page/links.js";

/** The keyboard, or null. `does` offers tap, copy, link, share, busy and bot. */
export function keyboard(message, does) {
  const rows = message.reply_markup?.inline_keyboard;
  if (!rows?.length) return null;
  // Telegram doesn't mirror keyboards, whatever the language.
  return el(
    "div",
    { class: "keyboard", dir: "ltr" },
    ...rows.map((row, r) =>
      el("div", { class: "row" }, ...row.map((button, c) => key(message, button, r, c, does))),
    ),
  );
}

function key(message, button, row, column, does) {
  const place = `${keyOf(message)}.${row}.${column}`;
  const common = {
    class: ["key", button.style].filter(Boolean).join(" "),
    dir: "auto",
    "data-place": place,
  };
  if (button.url) return link(button, common, does);
  const act = action(message, button, row, column, place, does);
  return el(
    "button",
    {
      ...common,
      type: "button",
      "aria-disabled": button.disabled ? "true" : null,
      "aria-busy": does.busy(place) ? "true" : null,
      "data-kind": button.copy_text ? "copy" : null,
      onclick: act,
    },
    label(button),
  );
}

function action(message, button, row, column, place, does) {
  if (button.copy_text) return () => does.copy(button.copy_text.text);
  if (button.callback_data) return () => does.tap(message, row, column, place);
  return () => {};
}

function link(button, common, does) {
  const target = meaning(button.url, does.bot.username);
  if (target.kind === "share") {
    const open = () => does.share(target);
    return el("button", { ...common, type: "button", "data-kind": "share", onclick: open }, label(button));
  }
  const anchor = does.link(button.url);
  for (const [name, value] of Object.entries(common)) anchor.setAttribute(name, value);
  anchor.dataset.kind = target.kind;
  anchor.append(label(button));
  return anchor;
}

const label = (button) => el("span", { class: "key-text" }, button.text);
