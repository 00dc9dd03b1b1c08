// @ts-check
/**
 * Requests to the server about studies: JSON in and out.
 *
 * @typedef {{ok: boolean, status: number, data: any}} Answer  `status` 0: nobody answered
 */

import { send } from "../../games/dom/sending.js";

/**
 * @param {string} method
 * @param {string} url
 * @param {object | null} body
 * @param {string} csrf
 * @returns {Promise<Answer>}
 */
export async function ask(method, url, body = null, csrf = "") {
  const headers = /** @type {Record<string, string>} */ ({ Accept: "application/json" });
  if (body) Object.assign(headers, { "Content-Type": "application/json", "X-CSRFToken": csrf });
  try {
    const answer = await send(url, { method, headers, body: body && JSON.stringify(body) });
    const data = await answer.json().catch(() => ({ error: `no answer (${answer.status})` }));
    return { ok: answer.ok, status: answer.status, data };
  } catch {
    return { ok: false, status: 0, data: { error: "there is no connection" } };
  }
}

/**
 * `send` for requests that the server must handle in the order in which they were made: each
 * leaves when the one before is answered.
 *
 * @template {unknown[]} Sent
 * @param {(...sent: Sent) => Promise<Answer>} send  never rejects
 */
export function inTurn(send) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (/** @type {Sent} */ ...sent) => {
    const answer = last.then(() => send(...sent));
    last = answer;
    return answer;
  };
}

/** The token of a shared study in the URL, for further requests. */
export function share() {
  const token = new URLSearchParams(location.search).get("share");
  return token ? `?share=${encodeURIComponent(token)}` : "";
}
