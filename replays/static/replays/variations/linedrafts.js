// @ts-check
/**
 * Variations that the server has not acknowledged, in this browser's storage.
 *
 * @typedef {import("./lines.js").Line} Line
 * @typedef {Line & {edit: number, account?: string, removed?: boolean, restoring?: boolean,
 *   trouble?: string}} Own
 *   `edit`: how often it was changed here; `account`: whose it is, empty for a guest's; `trouble`:
 *   why the server rejects it
 * @typedef {{id: string, round: number, event: number, line?: string, events: any[], text: string,
 *   tags: string[]}} RecordVariation  a variation as in a record
 */

export class LineDrafts {
  /** @param {string} match @param {Storage} storage */
  constructor(match, storage) {
    this.prefix = `ratuki.what-if.${match}.`;
    this.storage = storage;
  }

  /** @returns {Own[]} those of everybody who uses this browser */
  all() {
    const names = Array.from(
      { length: this.storage.length },
      (_, at) => this.storage.key(at) ?? "",
    );
    return names
      .filter((name) => name.startsWith(this.prefix))
      .flatMap((name) => read(this.storage.getItem(name)) ?? []);
  }

  /** Returns whether there is storage for it. @param {{key: string}} draft */
  write(draft) {
    try {
      this.storage.setItem(this.prefix + draft.key, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  /** @param {string} key */
  drop(key) {
    this.storage.removeItem(this.prefix + key);
  }
}

/** @param {string | null} text @returns {Own | null} */
function read(text) {
  try {
    const found = JSON.parse(text ?? "null");
    const valid = typeof found?.key === "string" && Array.isArray(found.events);
    // A draft may be older than some of its fields.
    return valid ? { tags: [], readers: [], order: 0, ...found } : null;
  } catch {
    return null;
  }
}

/**
 * Keeps variations made elsewhere as drafts in this browser; the replay page shows and saves them.
 * @param {string} match
 * @param {string} account whose they are; empty for a guest's
 * @param {RecordVariation[]} given as lines of a record, each with its id
 * @param {Storage} storage
 * @returns {boolean} whether there was room for all of them
 */
export function keepDraft(match, account, given, storage) {
  const drafts = new LineDrafts(match, storage);
  return given.every(({ id, round, event, line = null, events, text, tags = [] }) => {
    const own = { key: id, round, event, line, events, text, tags, by: "", mine: true, edit: 1 };
    const unsaved = { recorded: false, visibility: "self", revision: null, account };
    return drafts.write({ ...own, ...unsaved });
  });
}
