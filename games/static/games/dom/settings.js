/** A viewer's settings for tables and replays, stored in this browser. */

import { browserStorage, parsed, stored } from "./storage.js";

const KEY = "ratuki.table";
const USUAL = {
  sound: true,
  hints: false,
  autodraw: true,
  quick: true,
  keys: "letters",
  introduced: false,
  phrases: true,
  motion: true,
  piles: true, // named on the board, until a match has been looked at
};

/** @typedef {typeof USUAL} Settings */

/** @returns {Settings} */
export function load() {
  return { ...USUAL, ...parsed(browserStorage().getItem(KEY)) };
}

/** Turns motion on the page on or off. @param {Settings} settings */
export function showMotion({ motion }) {
  document.documentElement.dataset.motion = motion ? "on" : "off";
}

/** @param {Settings} settings */
export function save(settings) {
  showMotion(settings);
  stored(browserStorage(), KEY, JSON.stringify(settings));
}

/** @param {HTMLElement} panel @param {Settings} settings @param {() => void} changed */
export function bind(panel, settings, changed) {
  for (const [name, value] of Object.entries(settings)) {
    const input = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (
      panel.querySelector(`[name=${name}]`)
    );
    if (!input) continue;
    if (input instanceof HTMLInputElement) input.checked = Boolean(value);
    else input.value = String(value);
    input.addEventListener("change", () => {
      Object.assign(settings, {
        [name]: input instanceof HTMLInputElement ? input.checked : input.value,
      });
      save(settings);
      changed();
    });
  }
}
