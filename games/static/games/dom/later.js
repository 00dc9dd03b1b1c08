/** Code that is fetched when it is needed. */

import { gettext } from "../words/gettext.js";
import { box } from "./elements.js";

const SAID_MS = 8000;
const WORDS = gettext("That could not be loaded: there is no connection. Try again.");

/**
 * Fetches something once, at the first call. After a failure, again at the next one. A failure is
 * shown to a user who pressed something, and rejects.
 * @template T
 * @param {() => Promise<T>} fetchIt
 * @param {(words: string) => void} [say]
 * @returns {(how?: {quiet?: boolean}) => Promise<T>} `quiet`: no user asked for it
 */
export function later(fetchIt, say = sayBelow) {
  /** @type {Promise<T> | null} */
  let fetching = null;
  return ({ quiet = false } = {}) => {
    fetching ??= fetchIt().catch((error) => {
      fetching = null;
      throw error;
    });
    if (!quiet) fetching.catch(() => say(WORDS));
    return fetching;
  };
}

/** Says something at the foot of the page. @param {string} words */
function sayBelow(words) {
  const said = box("p", { class: "notice bad said-below", role: "alert" }, words);
  document.querySelector(".said-below")?.remove();
  document.body.append(said);
  setTimeout(() => said.remove(), SAID_MS);
}
