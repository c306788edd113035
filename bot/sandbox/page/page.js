// The page: who is here, one or two of their phones, and the Lab.

import { addressOf, readAddress } from "/page/address.js";
import { $ } from "/page/dom.js";
import { Lab } from "/page/lab.js";
import { Pane } from "/page/pane.js";
import { drawPeople, personToBe } from "/page/people.js";
import { readState } from "/page/server.js";
import { translate } from "/page/words.js";

const host = {
  world: await readState(), // bot, people, and what the Lab shows
  moved: (_, how) => moved(how),
  listed: (pane) => pane === active && lab.draw(),
  lost: () => refresh(),
};
const panes = [];
let drawn = null; // the person and the people last shown in their list
let drawnOf = null;
let active = null; // whom the list of people and the Lab speak of
const lab = new Lab({ pane: () => active, world: () => host.world, refresh, become: choose });

/** Shows the places of an address, in as many panes. */
function show({ places, start }) {
  const people = [];
  places.forEach((place, n) => {
    const pane = panes[n] ?? add();
    const free = host.world.people.filter((person) => !people.includes(person));
    people.push(personToBe(n ? free.concat(people) : host.world.people, place.as));
    pane.become(people[n], place, n ? null : start);
  });
  while (panes.length > places.length) panes.pop().close();
  activate(panes.includes(active) ? active : panes[0]);
}

function add() {
  const pane = new Pane(host);
  panes.push(pane);
  $("panes").append(pane.root);
  for (const event of ["focusin", "pointerdown"]) pane.root.addEventListener(event, () => activate(pane));
  pane.root.addEventListener("emptied", frame);
  pane.root.querySelector(".close").addEventListener("click", () => close(pane));
  return pane;
}

function activate(pane) {
  active = pane;
  frame();
  lab.draw();
}

/** All around the panes. */
function frame() {
  if (!active) return;
  const split = panes.length > 1;
  document.body.toggleAttribute("data-split", split);
  document.body.toggleAttribute("data-empty", panes[0].root.hasAttribute("data-empty"));
  for (const pane of panes) pane.root.classList.toggle("active", split && pane === active);
  $("split").setAttribute("aria-pressed", String(split));
  placeTools();
  const { person, words } = active;
  document.title = `${panes.map((pane) => pane.person.first_name).join(" & ")} · ${host.world.bot.first_name}`;
  for (const part of ["who-you-are", "alert", "share"]) translate($(part), words, person.language_code);
  if (drawn !== person || drawnOf !== host.world.people) drawPeople(host.world.people, person, choose);
  [drawn, drawnOf] = [person, host.world.people];
}

/** At the end of the last bar. A button that is moved while it is pressed would miss its click. */
function placeTools() {
  const bar = panes.at(-1).root.querySelector(".bar");
  if (!bar.contains($("tools"))) bar.append($("tools"));
}


function moved(how) {
  const address = addressOf(panes.map((pane) => pane.place), panes[0].payload);
  if (address === location.search) return;
  window.history[`${how}State`](null, "", address);
}

/** Somebody else in the active pane, who stays where the other was if they can. */
function choose(person) {
  active.become(person, active.inGroup ? active.place : {});
  moved("push");
  activate(active);
}

/** A second person beside the first, in the same chat if they are in it; or one alone again. */
function split() {
  if (panes.length > 1) return close(panes[1]);
  const [first] = panes;
  const others = host.world.people.filter(({ id }) => id !== first.person.id);
  const insiders = (first.here?.people ?? []).filter(({ status }) => !["left", "kicked"].includes(status));
  const beside = others.find(({ id }) => insiders.some((one) => one.id === id)) ?? others[0];
  if (!beside) return;
  const pane = add();
  pane.become(beside, first.inGroup ? first.place : {});
  activate(pane);
  moved("push");
}

function close(pane) {
  panes.splice(panes.indexOf(pane), 1);
  placeTools();
  pane.close();
  activate(panes[0]);
  moved("push");
}

/** Reads anew who is here: a sandbox started anew may know other people, and the Lab brings new ones. */
async function refresh() {
  try {
    host.world = await readState();
  } catch (error) {
    if (error instanceof TypeError) return; // not there yet
    throw error;
  }
  const again = panes.map((pane) => host.world.people.find(({ id }) => id === pane.person.id));
  if (again.every(Boolean)) panes.forEach((pane, n) => (pane.person = again[n]));
  else show({ places: panes.map(({ place }) => place), start: null });
  activate(active);
}

function fromAddress() {
  show(readAddress(location.search));
  moved("replace");
}

$("split").addEventListener("click", split);
window.addEventListener("popstate", fromAddress);
fromAddress();
