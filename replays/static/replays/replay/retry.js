/**
 * Persistent fetching: while a response fails to arrive, the page says so and retries, by itself
 * less and less often, at once when the network is back or the viewer asks. What it says is over the
 * table, where it also says that a live match is not followed now: one place, one button.
 */

import { jsonAt, ResultsHidden } from "../../games/dom/asking.js";
import { byId, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

const FIRST_WAIT = 2000;
const LAST_WAIT = 30000;

/** How many requests fail. */
let failing = 0;
/** What is wrong with the connection to a live match, and the way back. */
let lost = { words: "", label: "", does: () => {} };

function show() {
  byId("trouble").hidden = !failing && !lost.words;
  const failed = navigator.onLine
    ? gettext("Part of the match could not be loaded.")
    : gettext("You are offline.");
  write(byId("trouble-words"), lost.words || (failing ? failed : ""));
  write(byId("retry"), lost.label || gettext("Try again"));
}

/** An attempt has failed, or is over. @param {number} by */
function trouble(by) {
  failing += by;
  show();
}

/** Until the viewer asks again, the network is back, or so much time has passed. @param {number} ms */
const anotherTry = (ms) =>
  new Promise((again) => {
    const over = new AbortController();
    const now = () => {
      over.abort();
      again(null);
    };
    byId("retry").addEventListener("click", now, over);
    window.addEventListener("online", now, over);
    setTimeout(now, ms);
  });

/** Says what is wrong with the connection, and offers the way back. @param {typeof lost} now no words: nothing */
export function lose(now) {
  lost = now;
  byId("retry").onclick = () => lost.does();
  show();
}

/** Asks the viewer to reload. There is nothing to wait for. @param {string} words @returns {Promise<never>} */
function reload(words) {
  lose({ words, label: gettext("Reload"), does: () => location.reload() });
  return new Promise(() => {});
}

/**
 * Asks until there is an answer. If results are hidden now, nothing more is asked or said, whatever
 * else is failing.
 * @param {{ask: (url: string) => Promise<any>, trouble: (by: number) => void,
 *   anotherTry: (ms: number) => Promise<unknown>, reload: (words: string) => Promise<never>}} world
 *   `trouble`: an attempt has failed, or is over. `anotherTry`: at the latest after so many ms.
 * @returns {(url: string) => Promise<any>}
 */
export function retrying({ ask, trouble, anotherTry, reload }) {
  /** @type {Promise<never> | null} */
  let ended = null;
  return async (url) => {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LAST_WAIT)) {
      try {
        return await ask(url);
      } catch (error) {
        if (error instanceof ResultsHidden) ended ??= reload(error.message);
        if (ended) return ended;
        trouble(1);
        await anotherTry(wait);
        if (ended) return ended;
        trouble(-1);
      }
    }
  };
}

/** The JSON at a URL, sooner or later. Never, if results are hidden now. */
export const retryingJson = retrying({ ask: jsonAt, trouble, anotherTry, reload });
