// @ts-check
/** A choice above a list: what of it is shown. */

/** @param {string} label @param {[string, string][]} options @param {() => void} changed */
export function choice(label, options, changed) {
  const select = /** @type {HTMLSelectElement} */ (document.createElement("select"));
  select.append(...options.map(([value, words]) => new Option(words, value)));
  select.setAttribute("aria-label", label);
  select.addEventListener("change", changed);
  return select;
}
