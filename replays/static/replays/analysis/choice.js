/** A choice above a list: what of it is shown. */

import { picker } from "../../games/dom/controls.js";

/** @param {string} label @param {(readonly [string | number, string])[]} options @param {() => void} changed */
export function choice(label, options, changed) {
  const select = picker({ "aria-label": label }, options);
  select.addEventListener("change", changed);
  return select;
}
