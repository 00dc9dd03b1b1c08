/**
 * Unsent writing in this browser's storage: each entry under a name of its own, so that tabs do not
 * overwrite each other's. An account's entries are for no one else. No DOM.
 * @typedef {{key: string, account?: string}} Owned  `account`: whose it is, empty for a guest's
 */

import { stored } from "../../games/dom/storage.js";

/** @template {Owned} Entry */
export class Kept {
  /** @param {string} name of this kind of entries @param {Storage} storage */
  constructor(name, storage) {
    this.name = `ratuki.${name}`;
    this.storage = storage;
  }

  /** The visitor's entries. @param {string | undefined} account empty or undefined: a guest @returns {Entry[]} */
  of(account) {
    this.#split();
    const names = Array.from(
      { length: this.storage.length },
      (_, at) => this.storage.key(at) ?? "",
    );
    return names
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

  /** Earlier releases kept all entries under one name. */
  #split() {
    const together = parsed(this.storage.getItem(this.name));
    if (
      together &&
      Object.values(together).every((entry) => this.#known(entry) || this.write(entry))
    )
      this.storage.removeItem(this.name);
  }

  /** @param {Entry} entry */
  #known({ key }) {
    return this.storage.getItem(`${this.name}.${key}`) !== null;
  }
}

/** Whether there are any entries of a kind. @param {string} name @param {Storage} storage */
export const keeps = (name, storage) =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "").some(
    (key) => key === `ratuki.${name}` || key.startsWith(`ratuki.${name}.`),
  );

/** @param {string | null} text */
function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
