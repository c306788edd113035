// Who one can be.

import { addressOf } from "/page/address.js";
import { $, el, plainly } from "/page/dom.js";
import { avatar, lookOf } from "/page/senders.js";
import { ownName } from "/page/words.js";

/** Draws the list; `choose(person)` is called for a plain click, so that the page isn't loaded again. */
export function drawPeople(people, chosen, choose) {
  const focused = $("people").contains(document.activeElement);
  $("people").replaceChildren(...people.map((person) => entry(person, people, person.id === chosen.id, choose)));
  const current = $("people").querySelector("[aria-current]");
  current.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (focused) current.focus();
}

function entry(person, people, current, choose) {
  return el(
    "li",
    {},
    el(
      "a",
      {
        class: "person",
        href: addressOf([{ as: person.id }]),
        "aria-current": current ? "true" : null,
        onclick: plainly(() => choose(person)),
      },
      avatar({ name: person.first_name, look: lookOf(person, people) }),
      el(
        "span",
        { class: "person-about" },
        el("span", { class: "person-name", dir: "auto" }, person.first_name),
        el("span", { class: "person-language", lang: person.language_code, dir: "auto" }, ownName(person.language_code)),
        person.about ? el("span", { class: "person-note", dir: "auto" }, person.about) : null,
      ),
    ),
  );
}

/** The person of the address, else one who speaks the browser's language, else the first. */
export function personToBe(people, id) {
  const spoken = navigator.languages.map((code) => code.split("-")[0]);
  const speaks = (person) => spoken.includes((person.language_code ?? "").split("-")[0]);
  return people.find((person) => person.id === id) ?? people.find(speaks) ?? people[0];
}
