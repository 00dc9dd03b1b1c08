// @ts-check
/** Asking the site for JSON. */

/** The viewer has hidden results since this page was opened with them. */
export class ResultsHidden extends Error {
  constructor() {
    super("Results are hidden now. Reload the page.");
  }
}

/**
 * The JSON at a URL.
 * @param {string} url
 * @param {typeof fetch} [ask]
 * @returns {Promise<any>} rejected with ResultsHidden, or with what the site says is wrong
 */
export async function jsonAt(url, ask = fetch) {
  const response = await ask(url, { headers: { Accept: "application/json" } });
  if (response.ok) return response.json();
  const body = await response.json().catch(() => ({}));
  if (body.results === "hidden") throw new ResultsHidden();
  throw new Error(body.error ?? `${response.status} ${url}`);
}

/**
 * Runs what makes the site work something out when no other such thing is under way in this
 * browser: the site has one place for each visitor, and refuses who waits for it too long.
 * @template Found
 * @param {() => Promise<Found>} run
 * @param {Pick<LockManager, "request"> | null} [locks] there are none on an insecure address
 * @returns {Promise<Found>}
 */
export const inTurn = (run, locks = navigator.locks) =>
  locks ? /** @type {Promise<Found>} */ (locks.request("worked-out", run)) : run();

/** As `jsonAt`, of what the site has to work out. @param {string} url @returns {Promise<any>} */
export const workedOutAt = (url) => inTurn(() => jsonAt(url));
