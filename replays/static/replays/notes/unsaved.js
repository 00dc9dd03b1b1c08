/**
 * An unsaved playlist, passed between the pages of one tab.
 * @typedef {{match: number, round: number, event: number, until: number, label: string, line?: string,
 *   note?: string}} Item
 */

import { parsed, stored, tabStorage } from "../../games/dom/storage.js";

/** Its key in a URL. */
export const UNSAVED = "unsaved";
const KEPT = "ratuki.playlist.unsaved";

/** @param {string} title @param {Item[]} items */
export function keepUnsaved(title, items) {
  stored(tabStorage(), KEPT, JSON.stringify({ key: UNSAVED, title, items }));
}

/** @returns {{key: string, title: string, items: Item[]} | null} */
export function readUnsaved() {
  return parsed(tabStorage().getItem(KEPT));
}
