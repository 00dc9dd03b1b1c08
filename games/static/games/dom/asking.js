/**
 * Requests to the site: JSON in and out.
 *
 * A request that makes something new carries a key, so that a repeated one, whose response was
 * lost, makes nothing twice. Changes need none: they name the revision they are based on.
 * @typedef {Partial<import("api").Problem> & {detail: string}} Refusal
 * @typedef {{ok: false, status: number, data: Refusal, wait?: number}} Refused  `status` 0: no
 *   answer. `wait`: the ms after which the site wants to be asked again
 */

import { gettext } from "../words/gettext.js";

/**
 * @template [Data=unknown] what is answered: a type of the API's, said where it is asked for
 * @typedef {{ok: true, status: number, data: Data} | Refused} Response
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The token that came with a refusal, once the page's own is of no use. */
let renewed = "";

/** The keys of unanswered requests. @type {Map<string, string>} */
const unanswered = new Map();

/** The viewer has hidden results since this page was opened with them. */
export class ResultsHidden extends Error {
  constructor() {
    super(gettext("Results are hidden now. Reload the page."));
  }
}

/**
 * @template Data
 * @param {string} method
 * @param {string} url
 * @param {object | string | null} [body] sent as JSON, or as the text of a file, which makes
 *   nothing new
 * @param {boolean} [keepalive] whether a short one is sent although the page is left
 * @returns {Promise<Response<Data>>} never rejected
 */
export async function ask(method, url, body = null, keepalive = false) {
  const headers = /** @type {Record<string, string>} */ ({ Accept: "application/json" });
  const made = body && typeof body !== "string";
  const text = made ? JSON.stringify(body) : body;
  const what = method === "POST" && made ? `${url} ${text}` : "";
  if (method !== "GET") headers["X-CSRFToken"] = token();
  if (body) headers["Content-Type"] = "application/json";
  if (what) headers["X-Request-Key"] = keyOf(what);
  try {
    const sent = /** @type {string | null} */ (text);
    const response = await fetch(url, { method, headers, body: sent, keepalive });
    const said = await response.text(); // it may break off
    if (response.status < 500) unanswered.delete(what);
    const answer = read(response, said);
    if (answer.ok) return answer;
    if (answer.data.detail) answer.data.detail = sentence(answer.data.detail);
    renewed = answer.data.csrf ?? renewed;
    const wait = Number(response.headers?.get("Retry-After")) * 1000;
    return wait > 0 ? { ...answer, wait } : answer;
  } catch {
    return { ok: false, status: 0, data: { detail: gettext("There is no connection.") } };
  }
}

/**
 * Asks for an operation of the API, by the name that its description has: that types the answer.
 * @template {keyof import("api").OperationAnswers} Name
 * @param {Name} name its method and path
 * @param {string} url
 * @param {object | string | null} [body] @param {boolean} [keepalive]
 * @returns {Promise<Response<import("api").OperationAnswers[Name]>>}
 */
export const request = (name, url, body, keepalive) =>
  ask(name.split(" ")[0], url, body, keepalive);

/** A reason as a whole sentence, to stand after another one. @param {string} words */
export const sentence = (words) =>
  words && words[0].toUpperCase() + words.slice(1) + (/[.!?…][”“"]?$/.test(words) ? "" : ".");

/** Why something failed, as a whole sentence. @param {unknown} error */
export const reasonOf = (error) => sentence(error instanceof Error ? error.message : String(error));

/**
 * The token that signs changes: the one in a page's forms, until the visitor logs in in another
 * tab.
 */
export function token() {
  if (renewed) return renewed;
  const field = globalThis.document?.querySelector("[name=csrfmiddlewaretoken]");
  return /** @type {HTMLInputElement | null} */ (field)?.value ?? "";
}

/**
 * A new unique key: a request sent twice with it creates nothing twice. Unlike `randomUUID`, this
 * also works on a site without HTTPS.
 */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(22)), (byte) => ALPHABET[byte & 63]).join("");

/** @param {string} what */
function keyOf(what) {
  const key = unanswered.get(what) ?? newKey();
  unanswered.set(what, key);
  return key;
}

/**
 * @template Data
 * @param {{ok: boolean, status: number}} response @param {string} said
 * @returns {Response<Data>}
 */
function read({ ok, status }, said) {
  try {
    return { ok, status, data: said ? JSON.parse(said) : {} };
  } catch {
    return { ok: false, status, data: { detail: gettext("No answer ({status}).", { status }) } };
  }
}

/**
 * The JSON at a URL.
 * @template Data
 * @param {string} url
 * @returns {Promise<Data>} rejected with ResultsHidden, or with the site's reason
 */
export async function jsonAt(url) {
  /** @type {Response<Data>} */
  const { ok, status, data } = await ask("GET", url);
  if (ok) return data;
  if (data.results === "hidden") throw new ResultsHidden();
  throw new Error(data.detail ?? `${status} ${url}`);
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

/** As `jsonAt`, in turn. @template Data @param {string} url @returns {Promise<Data>} */
export const workedOutAt = (url) => inTurn(() => jsonAt(url));

/** Once the page is seen: a browser may have fetched it in advance. @param {() => void} act */
export function whenSeen(act) {
  if (!document.hidden) return act();
  document.addEventListener("visibilitychange", act, { once: true });
}
