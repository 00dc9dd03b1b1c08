// @ts-check
/**
 * Requests that make something new carry a key: one that is sent again, because its answer was
 * lost, makes nothing twice. Changes need none: they name the revision they are based on.
 */

import { newKey } from "./newkey.js";

/** The keys of what was sent and has not been answered. @type {Map<string, string>} */
const unanswered = new Map();

/** As `fetch`. @param {string} url @param {RequestInit & {headers: Record<string, string>}} options */
export async function send(url, options) {
  if (options.method !== "POST" || typeof options.body !== "string") return fetch(url, options);
  const what = `${url} ${options.body}`;
  const key = unanswered.get(what) ?? newKey();
  unanswered.set(what, key);
  const headers = { ...options.headers, "X-Request-Key": key };
  const answer = await fetch(url, { ...options, headers });
  await answer.clone().arrayBuffer(); // it may break off
  if (answer.status < 500) unanswered.delete(what);
  return answer;
}
