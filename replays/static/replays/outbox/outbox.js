/**
 * Unsent writing on its way to the site. No DOM.
 *
 * An entry is kept in this browser from the moment it is written until the site has it. Entries go
 * one after another, and again without an answer. A refused entry waits until its writer changes
 * it. An overtaken one is handled by its kind. Nothing is sent for a writer who has been logged
 * out.
 * @import { Refusal, Refused, Response } from "../../games/dom/asking.js"
 * @typedef {{method: string, url: string, body: object}} Request
 * @typedef {{key: string, account?: string, edit?: number, revision?: number | null,
 *   trouble?: string, request?: Request}} Entry `edit`: how often it was changed here. `revision`:
 *   of the changed item, null if that is new. `trouble`: why it waits for its writer. `request`:
 *   how any page of the site can send it, in storage (`sending.js`).
 */

export const AGAIN_MS = 5000;
/** Each time without an answer it waits twice as long, at most this. */
const LONGEST_MS = 300_000;

/** Whether it may succeed later: there was no answer, an error of the site, or a rate limit. @param {number} status */
export const mayPass = (status) => status === 0 || status >= 500 || status === 429;

/** Those of this page. @type {Outbox<any, any>[]} */
export const opened = [];

/**
 * How entries of one kind go.
 * @template {Entry} E
 * @template Data the site's answer
 * @typedef {object} Ways
 * @property {(entry: E) => Promise<Response<Data>>} send
 * @property {(entry: E) => boolean} [due] whether it can be sent by now
 * @property {(entry: E) => boolean} [mine] whether this page sends it, sooner or later
 * @property {(entry: E) => Request | null} request the same from any page. null: not from there
 * @property {(sent: E, data: Data, now: E | null) => E | null} saved what is left of it: `now` is
 *   how it has been changed since it was sent, if it has
 * @property {(now: E, data: Refusal) => E | null} overtaken what goes on instead, if anything
 * @property {(now: E, words: string) => E} [refused] what is left of it
 * @property {(now: E) => void} [written] gets each entry as it is now
 * @property {(response: Refused, sent: E) => unknown} [failed]
 * @property {(words: string) => Promise<unknown>} [loggedOut]
 * @property {() => void} [changed]
 */

/** @template {Entry} E @template Data */
export class Outbox {
  /**
   * @param {import("./kept.js").Kept<E>} kept @param {Ways<E, Data>} ways
   * @param {(run: () => void, ms: number) => unknown} [later]
   */
  constructor(kept, ways, later = (run, ms) => setTimeout(run, ms)) {
    this.kept = kept;
    this.ways = ways;
    this.later = later;
    /** @type {Map<string, E>} */
    this.entries = new Map();
    /** New ones that were sent and not answered: the site may have them. @type {Set<string>} */
    this.unanswered = new Set();
    /** What is being sent. @type {Promise<void> | null} */
    this.saving = null;
    /** Whether there was no answer lately. */
    this.offline = false;
    this.waiting = false;
    /** How many attempts in a row have failed. */
    this.failures = 0;
    opened.push(this);
  }

  /** Takes up what an earlier visit has left. @param {string | undefined} account who is here */
  resume(account) {
    for (const entry of this.kept.of(account))
      if (!this.entries.has(entry.key)) this.entries.set(entry.key, entry);
  }

  /** Takes up a change. `save` sends it. Returns whether this browser keeps it. @param {E} entry */
  put(entry) {
    const edit = (this.entries.get(entry.key)?.edit ?? 0) + 1;
    return this.write({ ...entry, edit, trouble: undefined });
  }

  /** @param {E} entry */
  write(entry) {
    this.entries.set(entry.key, entry);
    this.ways.written?.(entry);
    return this.kept.write({ ...entry, request: this.ways.request(entry) ?? undefined });
  }

  /** Whether this page sends what is kept under a name. @param {string} name @param {E} entry */
  sends(name, entry) {
    return name === `${this.kept.name}.${entry.key}` && this.ways.mine?.(entry) !== false;
  }

  /** @param {string} key */
  drop(key) {
    this.entries.delete(key);
    this.kept.drop(key);
  }

  /** Sends the due entries, one by one. Those that change meanwhile are sent too. */
  save() {
    this.saving ??= this.#saveAll();
    return this.saving;
  }

  /** Saves in a while, once however often that is asked for. @param {number} ms */
  saveSoon(ms) {
    if (this.waiting) return;
    this.waiting = true;
    this.later(() => {
      this.waiting = false;
      this.save();
    }, ms);
  }

  async #saveAll() {
    await null; // `saving` is set by now
    try {
      let goes = true;
      for (let next = this.#next(); goes && next; next = this.#next()) goes = await this.pass(next);
    } finally {
      this.saving = null;
    }
    this.ways.changed?.();
  }

  #next() {
    const { due = () => true } = this.ways;
    return [...this.entries.values()].find((entry) => !entry.trouble && due(entry));
  }

  /**
   * Sends an entry. Returns whether others may follow.
   * @param {E} entry @param {(entry: E) => Promise<Response<Data>>} [send]
   */
  async pass(entry, send = this.ways.send) {
    const response = await send(entry);
    const { ok, status } = response;
    this.offline = !ok && mayPass(status);
    if (this.offline && entry.revision === null) this.unanswered.add(entry.key);
    const stays = !ok && (this.offline || status === 403);
    if (!stays) this.#settle(entry, response);
    if (!response.ok && status !== 409) this.ways.failed?.(response, entry);
    if (this.offline) this.saveSoon(this.#longer(response));
    else this.failures = 0;
    if (!this.offline && !response.ok && stays) await this.ways.loggedOut?.(response.data.detail);
    return !stays;
  }

  /** How long to wait after another failure, in ms: at least as the site says. @param {Response<Data>} response */
  #longer(response) {
    const wait = Math.min(AGAIN_MS * 2 ** this.failures, LONGEST_MS);
    this.failures += 1;
    return Math.max(wait, response.ok ? 0 : (response.wait ?? 0));
  }

  /** @param {E} sent @param {Response<Data>} response */
  #settle(sent, { ok, status, data }) {
    const now = this.entries.get(sent.key) ?? sent;
    /** @type {E | null} */
    let left;
    if (ok) left = this.ways.saved(sent, data, now.edit === sent.edit ? null : now);
    else if (status !== 409)
      left = this.ways.refused?.(now, data.detail) ?? { ...now, trouble: data.detail };
    else if (this.unanswered.has(sent.key) && data.now?.revision === 1)
      left = { ...now, revision: 1 };
    else left = this.ways.overtaken(now, data);
    this.unanswered.delete(sent.key);
    if (!left) this.drop(sent.key);
    else if (this.entries.has(sent.key)) this.write(left);
  }
}
