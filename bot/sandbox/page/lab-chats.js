// Groups and who is in them, topics, the bot in private, and new people.

import { el, redraw } from "/page/dom.js";
import { act } from "/page/server.js";

const ROLES = {
  creator: "owner",
  creator_anonymous: "owner, anonymous",
  administrator: "admin",
  administrator_anonymous: "admin, anonymous",
  member: "member",
  restricted: "may not write",
  left: "not here",
};
const MAY_NOT_WRITE = ["can_send_messages"];
const KINDS = { forum: "with topics", supergroup: "without topics", group: "small (no supergroup yet)" };

export class LabChats {
  #here = el("section", { class: "lab-here" });
  #members = el("div", { class: "checks" });
  #drawn = "";

  constructor(root, page) {
    this.page = page;
    root.append(this.#here, this.#groupForm(), this.#personForm());
  }

  draw() {
    const { person, here } = this.page.pane();
    const { people, bot } = this.page.world();
    const { unread, last, ...kept } = here ?? {};
    const drawn = JSON.stringify([person, kept, people, bot]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    redraw(this.#here, ...(here?.type === "private" ? this.#private(here) : here ? this.#group(here) : []));
    const others = people.filter(({ id }) => id !== person.id);
    this.#members.replaceChildren(
      ...others.map(({ id, first_name: name }) => check(`with-${id}`, name, true, { value: id })),
      check("with-bot", bot.first_name, true),
    );
  }

  #perform(name, body) {
    return this.page.pane().perform(name, body);
  }

  #private({ blocked }) {
    const { bot } = this.page.world();
    const label = blocked ? `Unblock ${bot.first_name}` : `Block ${bot.first_name}`;
    const click = () => this.#perform(blocked ? "unblock" : "block");
    return [
      el("h3", {}, `${this.page.pane().person.first_name}'s chat with ${bot.first_name}`),
      el("div", { class: "buttons" }, button("block", label, click)),
    ];
  }

  #group(here) {
    const { people, bot } = this.page.world();
    const roles = people.map((person) => this.#memberRow(person, here.people.find(({ id }) => id === person.id)));
    const more = { group: ["Make it a supergroup", "upgrade"], supergroup: ["Switch topics on", "topics", { on: true }] };
    const [label, name, body] = more[here.type] ?? [];
    return [
      el("h3", { dir: "auto" }, here.title),
      el("ul", { class: "members" }, ...roles, this.#botRow(bot, here)),
      ...(here.type === "forum" ? this.#topics(here.topics) : []),
      el(
        "div",
        { class: "buttons" },
        label ? button(name, label, () => this.#perform(name, body)) : null,
        button("delete", "Delete the group", () => this.#perform("delete_group")),
      ),
    ];
  }

  #memberRow(person, member) {
    const role = roleOf(member);
    const owns = member?.status === "creator";
    const offered = Object.keys(ROLES).filter((one) => one.startsWith("creator") === owns);
    const set = (to) => this.#move(person.id, role, to);
    return row(`role-${person.id}`, person.first_name, offered, role, set);
  }

  #move(member, from, to) {
    const by = this.page.pane().person.id;
    const anonymous = to.endsWith("_anonymous");
    if (to === "left") return member === by ? this.#perform("leave") : this.#perform("kick", { member });
    if (from === "left") return this.#comeIn(member, to);
    if (to === "restricted") return this.#perform("restrict", { member, denied: MAY_NOT_WRITE });
    if (to === "member") return this.#perform(from === "restricted" ? "restrict" : "demote", { member, denied: [] });
    return this.#perform("promote", { member, anonymous });
  }

  /** One who is outside enters first, by themself. */
  async #comeIn(member, to) {
    const entered = await this.#perform("enter", { person: member });
    if (entered && to !== "member") await this.#move(member, "member", to);
  }

  #botRow(bot, here) {
    const role = roleOf({ status: here.bot });
    const acts = {
      administrator: () => (role === "left" ? this.#perform("add_bot", { rights: ["can_manage_chat"] }) : this.#perform("promote_bot")),
      member: () => this.#perform({ left: "add_bot", restricted: "restrict_bot" }[role] ?? "demote_bot", role === "restricted" ? { denied: [] } : {}),
      restricted: () => this.#perform("restrict_bot", { denied: MAY_NOT_WRITE }),
      left: () => this.#perform("remove_bot"),
    };
    const offered = role === "left" ? ["administrator", "member", "left"] : Object.keys(acts);
    return row("role-bot", bot.first_name, offered, role, (to) => acts[to]());
  }

  #topics(topics) {
    const rows = topics.map(({ id, name, closed }) =>
      el(
        "li",
        {},
        el("span", { class: "member-name", dir: "auto" }, name),
        button(`close-${id}`, closed ? "Reopen" : "Close", () => this.#perform(closed ? "reopen_topic" : "close_topic", { thread: id })),
        id === 1 ? null : button(`delete-${id}`, "Delete", () => this.#perform("delete_topic", { thread: id })),
      ),
    );
    const add = (name) => this.#perform("create_topic", { name });
    return [el("h4", {}, "Topics"), el("ul", { class: "members" }, ...rows), lineForm("new-topic", "New topic", "Add", add)];
  }

  #groupForm() {
    const title = el("input", { type: "text", id: "group-title", required: true, maxlength: 128, value: "Study group", dir: "auto" });
    const options = Object.entries(KINDS).map(([kind, name]) => el("option", { value: kind }, name));
    const kind = el("select", { id: "group-kind" }, ...options);
    const submit = (event) => {
      event.preventDefault();
      this.#found(title.value, kind.value);
    };
    return el(
      "form",
      { class: "lab-form", onsubmit: submit },
      el("h3", {}, "New group"),
      el("div", { class: "line" }, el("label", { for: "group-title" }, "Title"), title),
      el("div", { class: "line" }, el("label", { for: "group-kind" }, "Kind"), kind),
      el("fieldset", {}, el("legend", {}, "Members"), this.#members),
      el("button", { class: "action" }, "Create"),
    );
  }

  #found(title, kind) {
    const pane = this.page.pane();
    const members = [...this.#members.querySelectorAll("[value]:checked")].map(({ value }) => Number(value));
    const withBot = this.#members.querySelector("#with-bot").checked;
    const person = pane.person.id;
    return pane.attempt(async () => {
      const { chat } = await act("act", { act: "create_group", person, title, kind, members });
      if (withBot) await act("act", { act: "add_bot", person, chat });
      pane.openSoon(chat);
    });
  }

  #personForm() {
    const code = el("input", { type: "text", id: "person-code", maxlength: 12, value: "en", size: 6, spellcheck: "false" });
    const join = (name) =>
      this.page.pane().attempt(async () => {
        const language = code.value.trim() ? { language_code: code.value.trim() } : {};
        const { person } = await act("act", { act: "join", person: 0, first_name: name, ...language });
        await this.page.refresh();
        this.page.become(this.page.world().people.find(({ id }) => id === person));
      });
    const language = el("span", { class: "line" }, el("label", { for: "person-code" }, "Language"), code);
    return el("section", { class: "lab-form" }, el("h3", {}, "New person"), lineForm("new-person", "Name", "Join", join, language));
  }
}

function roleOf(member) {
  if (!member || ["left", "kicked"].includes(member.status)) return "left";
  const leads = ["creator", "administrator"].includes(member.status);
  return leads && member.anonymous ? `${member.status}_anonymous` : member.status;
}

/** A name and what they are; choosing another role makes them so. */
function row(id, name, offered, role, set) {
  const options = offered.map((one) => el("option", { value: one, selected: one === role }, ROLES[one]));
  const change = async ({ target }) => (await set(target.value)) || (target.value = role);
  return el(
    "li",
    {},
    el("label", { for: id, class: "member-name", dir: "auto" }, name),
    el("select", { id, "data-focus": id, onchange: change }, ...options),
  );
}

/** A field and a button in one line; emptied once it is done. */
function lineForm(id, label, verb, act, more = null) {
  const field = el("input", { type: "text", id, "data-focus": id, required: true, maxlength: 128, placeholder: label, dir: "auto" });
  const submit = async (event) => {
    event.preventDefault();
    if (await act(field.value.trim())) field.value = "";
  };
  const name = el("label", { for: id, class: "unseen" }, label);
  return el("form", { class: "line", onsubmit: submit }, name, field, more, el("button", { class: "action quiet" }, verb));
}

function check(id, label, checked, more = {}) {
  return el("span", { class: "check" }, el("input", { type: "checkbox", id, checked, ...more }), el("label", { for: id, dir: "auto" }, label));
}

const button = (focus, label, onclick) =>
  el("button", { type: "button", class: "action quiet", "data-focus": focus, onclick }, label);
