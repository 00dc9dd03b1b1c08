/**
 * Storage in this browser, or in this tab. Where all cookies are blocked, a browser throws at the
 * mere name of its storage. Elsewhere storage may be full. A page must do without it.
 */

import { gettext } from "../words/gettext.js";

/** Nothing is in it, and nothing goes in. @type {Storage} */
const NONE = {
  length: 0,
  key: () => null,
  getItem: () => null,
  setItem() {
    throw new DOMException(
      gettext("This browser stores nothing for this site."),
      "QuotaExceededError",
    );
  },
  removeItem() {},
  clear() {},
};

/** @param {() => Storage} named */
function allowed(named) {
  try {
    return named() ?? NONE;
  } catch {
    return NONE;
  }
}

export const browserStorage = () => allowed(() => localStorage);

export const tabStorage = () => allowed(() => sessionStorage);

/** JSON that was stored. null: nothing, or nothing that can be read. @param {string | null} text */
export function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The names of all that is in it. @param {Storage} storage */
export const storedNames = (storage) =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");

/** Returns whether there is room for it. @param {Storage} storage @param {string} name @param {string} text */
export function stored(storage, name, text) {
  try {
    storage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
