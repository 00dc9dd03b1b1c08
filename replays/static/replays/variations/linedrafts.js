/**
 * Variations that the server has not acknowledged, in this browser's storage.
 * @typedef {import("./lines.js").Line} Line
 * @typedef {Line & {edit?: number, account?: string, removed?: boolean, restoring?: boolean,
 *   trouble?: string}} Own `edit`: how often it was changed here. `account`: whose it is, empty for
 *   a guest's. `trouble`: why the server rejects it.
 * @typedef {{id: string, round: number, event: number, line?: string, events: any[], text: string,
 *   tags: string[]}} RecordVariation  a variation as in a record
 */

import { Kept } from "../outbox/kept.js";

/** @param {string} match @param {Storage} storage @returns {Kept<Own>} */
export const draftsOf = (match, storage) => new Kept(`what-if.${match}`, storage);

/**
 * Keeps variations made elsewhere as drafts in this browser. The replay page shows and saves them.
 * @param {string} match
 * @param {string} account whose they are. Empty for a guest's
 * @param {RecordVariation[]} given as lines of a record, each with its id
 * @param {Storage} storage
 * @returns {boolean} whether there was room for all of them
 */
export function keepDraft(match, account, given, storage) {
  const drafts = draftsOf(match, storage);
  return given.every(({ id, round, event, line = null, events, text, tags = [] }) => {
    const own = { key: id, round, event, line, events, text, tags, mine: true, edit: 1, account };
    return drafts.write(/** @type {Own} */ (own));
  });
}
