/**
 * Unsent writing in this browser's storage: each entry under a name of its own, so that tabs do not
 * overwrite each other's. An account's entries are for no one else. No DOM.
 * @typedef {{key: string, account?: string}} Owned  `account`: whose it is, empty for a guest's
 */

import { parsed, stored, storedNames } from "../../games/dom/storage.js";

/** @template {Owned} Entry */
export class Kept {
  /** @param {string} name of this kind of entries @param {Storage} storage */
  constructor(name, storage) {
    this.name = `ratuki.${name}`;
    this.storage = storage;
  }

  /** The visitor's entries. @param {string | undefined} account empty or undefined: a guest @returns {Entry[]} */
  of(account) {
    return storedNames(this.storage)
      .filter((name) => name.startsWith(`${this.name}.`))
      .map((name) => parsed(this.storage.getItem(name)))
      .filter((entry) => entry?.key && (!entry.account || entry.account === account));
  }

  /** Returns whether there is room for it. @param {Entry} entry */
  write(entry) {
    const name = `${this.name}.${entry.key}`;
    if (stored(this.storage, name, JSON.stringify(entry))) return true;
    this.storage.removeItem(name); // what is older would be taken for the last
    return false;
  }

  /** @param {string} key */
  drop(key) {
    this.storage.removeItem(`${this.name}.${key}`);
  }
}

/** Whether it may succeed later: there was no answer, an error of the site, or a rate limit. @param {number} status */
export const mayPass = (status) => status === 0 || status >= 500 || status === 429;

/** Those of this page. @type {import("./outbox.js").Outbox<any, any>[]} */
export const opened = [];

/** Whether there are any entries of a kind. @param {string} name @param {Storage} storage */
export const keeps = (name, storage) =>
  storedNames(storage).some((key) => key.startsWith(`ratuki.${name}.`));
