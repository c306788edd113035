// Who one can be.

import { $, el } from "/page/dom.js";
import { pageLink } from "/page/links.js";
import { ownName } from "/page/words.js";

const COLOURS = 6;

/** Draws the list; `choose(person)` is called for a plain click, so that the page isn't loaded again. */
export function drawPeople(people, chosen, choose) {
  const focused = $("people").contains(document.activeElement);
  $("people").replaceChildren(...people.map((person, n) => entry(person, n, person === chosen, choose)));
  const current = $("people").querySelector("[aria-current]");
  current.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (focused) current.focus();
}

function entry(person, n, current, choose) {
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(person);
  };
  return el(
    "li",
    {},
    el(
      "a",
      { class: "person", href: pageLink(person.id), "aria-current": current ? "true" : null, onclick: click },
      el("span", { class: `avatar colour-${n % COLOURS}`, "aria-hidden": "true" }, initial(person)),
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

/** The first letter with its marks. */
function initial({ first_name: name }) {
  return [...new Intl.Segmenter().segment(name)][0]?.segment.toLocaleUpperCase() ?? "?";
}

/** The person of the address, else one who speaks the browser's language, else the first. */
export function personToBe(people, id) {
  const spoken = navigator.languages.map((code) => code.split("-")[0]);
  const speaks = (person) => spoken.includes((person.language_code ?? "").split("-")[0]);
  return people.find((person) => String(person.id) === id) ?? people.find(speaks) ?? people[0];
}
