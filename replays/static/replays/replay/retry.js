// @ts-check
/**
 * Persistent fetching: while a response fails to arrive, the page says so and retries, by itself
 * less and less often, at once when the network is back or the viewer asks.
 */

import { jsonAt, ResultsHidden } from "../../games/dom/asking.js";
import { byId, write } from "../../games/dom/elements.js";

const FIRST_WAIT = 2000;
const LAST_WAIT = 30000;

/** How many fetches are failing. */
let troubled = 0;

/** @param {number} by */
function trouble(by) {
  troubled += by;
  byId("trouble").hidden = troubled === 0;
  write(
    byId("trouble-words"),
    navigator.onLine ? "Part of the match could not be loaded." : "You are offline.",
  );
}

/** @param {number} ms */
const anotherTry = (ms) =>
  new Promise((again) => {
    const once = { once: true };
    byId("retry").addEventListener("click", again, once);
    window.addEventListener("online", again, once);
    setTimeout(again, ms);
  });

/** Asks the viewer to reload; there is nothing to wait for. @param {string} words @returns {Promise<never>} */
function reload(words) {
  byId("trouble").hidden = false;
  write(byId("trouble-words"), words);
  write(byId("retry"), "Reload");
  byId("retry").addEventListener("click", () => location.reload());
  return new Promise(() => {});
}

/** The JSON at a URL, sooner or later; never, if results are hidden now. @param {string} url */
export async function retryingJson(url) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LAST_WAIT)) {
    try {
      return await jsonAt(url);
    } catch (error) {
      if (error instanceof ResultsHidden) return reload(error.message);
      trouble(1);
      await anotherTry(wait);
      trouble(-1);
    }
  }
}
