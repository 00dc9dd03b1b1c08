/**
 * Persistent fetching: while a response fails to arrive, the page says so and retries, by itself
 * less and less often, at once when the network is back or the viewer asks.
 */

import { jsonAt, ResultsHidden } from "../../games/dom/asking.js";
import { anotherTry, reload, trouble } from "./trouble.js";

const FIRST_WAIT = 2000;
const LAST_WAIT = 30000;

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
