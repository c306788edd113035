// Words in the language of the person's phone; English where they aren't here.

import { WORDS } from "/page/wordlists.js";

const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "ug", "ur", "yi"]);

const base = (code) => (code ?? "en").toLowerCase().split("-")[0];

/** The words for a language code, which may be missing. */
export const wordsFor = (code) => WORDS[base(code)] ?? WORDS.en;

/** The language those words are in. */
export const spokenFor = (code) => (base(code) in WORDS ? base(code) : "en");

export const directionOf = (code) => (RIGHT_TO_LEFT.has(base(code)) ? "rtl" : "ltr");

/** The language by its own name: "हिन्दी"; the code itself where the browser knows no name; "" without a code. */
export function ownName(code) {
  if (!code) return "";
  try {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** The words with names and numbers in them, each isolated, so that its direction doesn't turn the rest. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => `\u2068${values[name]}\u2069`);
}

/** Puts the words wherever `root` asks for them with data-word (text) or data-label (accessible name). */
export function translate(root, words, code) {
  for (const element of root.querySelectorAll("[data-word]")) {
    element.textContent = words[element.dataset.word];
    element.lang = spokenFor(code);
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label]);
  }
}
