// Elements are built, never parsed from text: whatever a message holds stays text.

/** An element. Attributes that are null or false are left out, `true` is an empty one; `onclick` and the like listen. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon of the sprite in index.html. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

export const $ = (id) => document.getElementById(id);

/** Draws anew what is in `root`; the focus stays on the element of the same data-focus. */
export function redraw(root, ...children) {
  const name = root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  root.replaceChildren(...children.filter(Boolean));
  if (name) root.querySelector(`[data-focus="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}

/** Listens for a plain click on a link, which is then not followed; with Ctrl and the like it is. */
export const plainly = (act) => (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  act();
};
