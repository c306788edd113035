// Text with Bot API entities to DOM. Offsets count UTF-16 units, as JavaScript's strings do.

import { el } from "/page/dom.js";

const PLAIN_TAGS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
};

/**
 * A fragment with the formatted text.
 * `does` offers link(url, ...children), command(text) and words.
 */
export function formatted(text, entities, does) {
  const fragment = document.createDocumentFragment();
  const sorted = [...(entities ?? [])].sort((a, b) => a.offset - b.offset || b.length - a.length);
  fill(fragment, text, 0, text.length, sorted, does);
  return fragment;
}

function fill(parent, text, from, to, entities, does) {
  const queue = [...entities];
  let at = from;
  while (queue.length) {
    const entity = queue.shift();
    const end = entity.offset + entity.length;
    addText(parent, text.slice(at, entity.offset));
    const { outer, inner } = shell(entity, text.slice(entity.offset, end), does);
    fill(inner, text, entity.offset, end, within(queue, end), does);
    addNode(parent, outer);
    at = end;
  }
  addText(parent, text.slice(at, to));
}

/** Takes from the queue what begins before `end`; what goes beyond is cut in two, its rest stays queued. */
function within(queue, end) {
  const inside = [];
  const rests = [];
  while (queue.length && queue[0].offset < end) {
    const entity = queue.shift();
    const over = entity.offset + entity.length - end;
    inside.push(over > 0 ? { ...entity, length: entity.length - over } : entity);
    if (over > 0) rests.push({ ...entity, offset: end, length: over });
  }
  queue.unshift(...rests);
  return inside;
}

const isBlock = (node) => node instanceof HTMLElement && "block" in node.dataset;

/** A block brings its own line breaks: one "\n" on either side of it is no empty line. */
function addText(parent, text) {
  const shown = isBlock(parent.lastChild) && text.startsWith("\n") ? text.slice(1) : text;
  if (shown) parent.append(shown);
}

function addNode(parent, node) {
  const before = parent.lastChild;
  if (isBlock(node) && before instanceof Text && before.data.endsWith("\n"))
    before.data = before.data.slice(0, -1);
  parent.append(node);
}

function shell(entity, content, does) {
  if (entity.type in PLAIN_TAGS) return around(el(PLAIN_TAGS[entity.type]));
  switch (entity.type) {
    case "code":
      return around(el("code"));
    case "pre":
      return preformatted(entity.language);
    case "text_link":
      return around(does.link(entity.url));
    case "url":
      return around(does.link(content));
    case "email":
      return around(does.link(`mailto:${content}`));
    case "bot_command":
      return around(does.command(content));
    case "spoiler":
      return around(spoiler(does.words));
    case "blockquote":
      return around(el("blockquote", { "data-block": true }));
    case "expandable_blockquote":
      return expandable(does.words);
    default:
      return around(el("span", { class: `entity-${entity.type}` }));
  }
}

const around = (element) => ({ outer: element, inner: element });

function preformatted(language) {
  const inner = el("code");
  const label = language ? el("span", { class: "pre-language" }, language) : null;
  return { outer: el("pre", { "data-block": true, dir: "ltr" }, label, inner), inner };
}

function spoiler(words) {
  const reveal = (event) => {
    if (hidden.classList.contains("shown") || (event.key && !["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    hidden.classList.add("shown");
    for (const name of ["role", "aria-label"]) hidden.removeAttribute(name);
  };
  const hidden = el("span", {
    class: "spoiler",
    role: "button",
    tabindex: 0,
    "aria-label": words.spoiler,
    onclick: reveal,
    onkeydown: reveal,
  });
  return hidden;
}

function expandable(words) {
  const inner = el("div", { class: "folded" });
  const toggle = el(
    "button",
    {
      type: "button",
      class: "unfold",
      "aria-expanded": "false",
      onclick: () => {
        const open = !inner.classList.toggle("folded");
        toggle.setAttribute("aria-expanded", String(open));
        toggle.textContent = open ? words.less : words.more;
      },
    },
    words.more,
  );
  return { outer: el("blockquote", { "data-block": true, class: "expandable" }, inner, toggle), inner };
}

/** Takes the "Show more" away from quotes that are whole already. To be called once they are laid out. */
export function settle(root) {
  for (const folded of root.querySelectorAll(".expandable .folded")) {
    folded.nextElementSibling.hidden = folded.scrollHeight <= folded.clientHeight + 1;
  }
}
