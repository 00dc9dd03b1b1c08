// @ts-check
/** Form fields, each with its label. */

import { box } from "../../games/dom/elements.js";

/** A name that no other field has: modules on one page may each have a copy of this one. */
const unique = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/**
 * @template {HTMLElement} T
 * @param {string} words
 * @param {T} input
 */
export function labelled(words, input) {
  input.id ||= `study-field-${unique()}`;
  const label = Object.assign(document.createElement("label"), { htmlFor: input.id });
  label.append(words);
  return box("div", "field", label, input);
}

/** @param {string} value @param {number} most */
export function line(value, most = 100) {
  return Object.assign(document.createElement("input"), { type: "text", value, maxLength: most });
}

/** @param {string} value @param {number} rows @param {number} most */
export function words(value, rows = 3, most = 4000) {
  return Object.assign(document.createElement("textarea"), { value, rows, maxLength: most });
}

/** @param {[string, string][]} options value and words @param {string} value */
export function choice(options, value) {
  const select = document.createElement("select");
  select.append(...options.map(([own, label]) => new Option(label, own)));
  select.value = value;
  return select;
}
