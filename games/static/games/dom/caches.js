/** Requests to caches: the same answer for everyone. */

/** How long a cache may take. */
const PATIENCE_MS = 5_000;

/**
 * Asks, as nobody, for what is the same for everyone and comes from any cache but the browser's,
 * unless it never changes. Rejected without a connection.
 * @param {string} method @param {string} url @param {boolean} [lasting]
 * @returns {Promise<{status: number, data: any}>} `data`: null without content
 */
export async function askCaches(method, url, lasting = false) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const cache = lasting ? "default" : "no-store";
  const response = await fetch(url, { method, credentials: "omit", cache, signal });
  const text = response.ok ? await response.text() : "";
  return { status: response.status, data: text ? JSON.parse(text) : null };
}
