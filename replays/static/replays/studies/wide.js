/** Form fields, each with its label. */

import { box } from "../../games/dom/elements.js";

/** A name that no other field has: modules on one page may each have a copy of this one. */
const unique = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/** @template {HTMLElement} T @param {string} words @param {T} input */
export function labelled(words, input) {
  input.id ||= `study-field-${unique()}`;
  return box("div", "field", box("label", { for: input.id }, words), input);
}

/** @param {string} value @param {number} most */
export const line = (value, most = 100) => box("input", { type: "text", value, maxlength: most });

/** @param {string} value @param {number} rows @param {number} most */
export const words = (value, rows = 3, most = 4000) =>
  Object.assign(box("textarea", { rows, maxlength: most }), { value });

export const WIDE = matchMedia("(width >= 64rem), (width >= 40rem) and (height <= 30rem)");
