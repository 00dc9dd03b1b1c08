/**
 * Sends unsent entries from the next page of the site: their own page may never be opened again.
 * Refused and overtaken entries wait for their writer there. Entries of another account stay where
 * they are.
 * @import { Response } from "../../games/dom/asking.js"
 * @import { Entry } from "./outbox.js"
 */

import { ask } from "../../games/dom/asking.js";
import { browserStorage, parsed, stored, storedNames } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
import { mayPass, opened } from "./kept.js";

/** What stays of a person in a browser, and is on the site too. */
const OF_PERSON = ["ratuki.receipt", "ratuki.notes.seen."];
/** The page's own parts come first: they know the subject. */
const LATER_MS = 3000;
const KEPT = gettext(
  "Some of your writing hasn’t been sent. It stays in this browser, hidden from others, until you log in here again. Log out?",
);

/**
 * What waits to be sent for an account.
 * @param {Storage} storage @param {string} account empty: a guest's
 */
export function waiting(storage, account) {
  return storedNames(storage)
    .filter((name) => name.startsWith("ratuki."))
    .map((name) => ({ name, text: storage.getItem(name) ?? "" }))
    .filter(({ text }) => {
      /** @type {Partial<Entry>} */
      const { request, trouble, account: whose = "" } = parsed(text) ?? {};
      return request && !trouble && whose === account;
    });
}

/**
 * Sends them one after another, until there is no answer.
 * @param {Storage} storage @param {string} account
 * @param {(method: string, url: string, body: object) => Promise<Response>} send
 */
export async function sendAll(storage, account, send) {
  for (const { name, text } of waiting(storage, account)) {
    const entry = parsed(text);
    if (opened.some((outbox) => outbox.sends(name, entry))) continue;
    const { method, url, body } = entry.request;
    const { ok, status, data } = await send(method, url, body);
    if (!ok && (mayPass(status) || status === 403)) return;
    if (storage.getItem(name) !== text) continue; // its writer has gone on
    if (ok) storage.removeItem(name);
    else stored(storage, name, JSON.stringify({ ...entry, trouble: data.detail }));
  }
}

/**
 * Leaves nothing of the person who logs out, but for words that the site does not have yet and this
 * browser's settings. @param {Storage} storage
 */
export function forget(storage) {
  for (const name of storedNames(storage))
    if (OF_PERSON.some((kind) => name.startsWith(kind))) storage.removeItem(name);
}

/** @param {HTMLElement} page */
export function sendLater({ dataset: { account = "" } }) {
  const storage = browserStorage();
  /** Two tabs need not send the same. */
  const run = () =>
    navigator.locks
      ? navigator.locks.request("outbox", { ifAvailable: true }, (lock) =>
          lock ? sendAll(storage, account, ask) : undefined,
        )
      : sendAll(storage, account, ask);
  setTimeout(run, LATER_MS);
  addEventListener("online", run);
  /** @type {HTMLFormElement | null} */
  const leaving = document.querySelector("form[data-log-out]");
  leaving?.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (waiting(storage, account).length) await run();
    if (waiting(storage, account).length && !confirm(KEPT)) return;
    forget(storage);
    leaving.submit();
  });
}
