// A small menu of what can be done with one thing, beside the button that opened it.

import { $, el } from "/page/dom.js";

const MARGIN_PX = 8;

/** `items` are [label, act]; `look` {dir, lang}. The menu closes with the choice. */
export function openMenu(button, title, items, look) {
  const menu = $("menu");
  menu.dir = look.dir;
  menu.lang = look.lang;
  menu.setAttribute("aria-label", title);
  menu.replaceChildren(...items.map(([label, act]) => entry(label, act)));
  menu.showModal();
  place(menu, button.getBoundingClientRect());
}

function entry(label, act) {
  const choose = () => {
    $("menu").close();
    act();
  };
  return el("button", { type: "button", class: "menu-entry", dir: "auto", onclick: choose }, label);
}

/** Below the button, or above it where there is no room; never outside of the window. */
function place(menu, button) {
  const { width, height } = menu.getBoundingClientRect();
  const fits = (at, size, room) => Math.max(MARGIN_PX, Math.min(at, room - size - MARGIN_PX));
  const below = button.bottom + height + MARGIN_PX < innerHeight;
  menu.style.left = `${fits(button.left, width, innerWidth)}px`;
  menu.style.top = `${fits(below ? button.bottom : button.top - height, height, innerHeight)}px`;
}

$("menu").addEventListener("click", (event) => event.target === $("menu") && $("menu").close());
$("menu").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const entries = [...$("menu").children];
  const next = entries.indexOf(document.activeElement) + step;
  entries[(next + entries.length) % entries.length].focus();
});
