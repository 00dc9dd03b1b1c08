/**
 * The one way in which a page saves what people write.
 *
 * An entry is kept in this browser from the moment it is written until the site has it. Entries go
 * one after another, and again without an answer. A refused entry waits until its writer changes
 * it, or comes again. Nothing overwrites someone else's version before the writer has chosen.
 * Nothing is sent for a writer who has been logged out.
 * @import { Refusal, Response } from "../../games/dom/asking.js"
 * @import { Choices, Difference, Other } from "./conflict.js"
 * @typedef {{method: string, url: string, body: object}} Request
 * @typedef {{key: string, account?: string, edit?: number, revision?: number | null,
 *   removed?: boolean, trouble?: string, request?: Request}} Entry `edit`: how often it was changed
 *   here. `revision`: of the changed item, null if that is new. `trouble`: why it waits for its
 *   writer. `request`: how any page of the site can send it, in storage (`sending.js`).
 */

import { ask } from "../../games/dom/asking.js";
import { gettext } from "../../games/words/gettext.js";
import { conflictBox, withBothTexts } from "./conflict.js";
import { mayPass, opened } from "./kept.js";

const AGAIN_MS = 5000;
/** Each time without an answer it waits twice as long, at most this. */
const LONGEST_MS = 300_000;

/**
 * What differs between kinds of documents.
 * @template {Entry} E
 * @template Data the site's version
 * @typedef {object} Ways
 * @property {(entry: E) => Request | null} request null: it is not to be sent, or not yet
 * @property {(sent: E, data: Data, now: E | null) => E | null} saved what is left of it: `now` is
 *   how it has been changed since it was sent, if it has
 * @property {(entry: E, theirs: Data) => Difference[]} differences in words. None: it is saved
 * @property {(entry: E, theirs: Data) => E} based the entry as a change of the site's version
 * @property {(entry: E, theirs: Data) => E | null} [merged] both changes, if they go together
 * @property {(entry: E, theirs: Data) => E | null} [both] both versions, if they can be kept.
 *   Without it, both texts
 * @property {(theirs: Data, own: E) => unknown} taken the writer prefers the other version
 * @property {(now: E) => E} [refused] what is left of it
 * @property {(now: E) => void} [written] gets each entry as it is now
 * @property {(key: string, response: Response<Data>) => void} [changed] after each response
 * @property {() => Promise<unknown>} [visitor] looks up who is here: someone may have logged out
 */

/** @template {Entry} E @template Data */
export class Outbox {
  /**
   * @param {import("./kept.js").Kept<E>} kept @param {Ways<E, Data>} ways
   * @param {{later?: (run: () => void, ms: number) => unknown, send?: typeof ask}} [world]
   */
  constructor(kept, ways, { later = (run, ms) => setTimeout(run, ms), send = ask } = {}) {
    this.kept = kept;
    this.ways = ways;
    this.later = later;
    this.ask = send;
    /** @type {Map<string, E>} */
    this.entries = new Map();
    /** What its writer chooses between, by key. @type {Map<string, Choices & {other?: Other, differing: Difference[], box?: HTMLElement}>} */
    this.choices = new Map();
    /** New ones that were sent and not answered: the site may have them. @type {Set<string>} */
    this.unanswered = new Set();
    /** What is being sent. @type {Promise<void> | null} */
    this.saving = null;
    /** Why nothing could be sent lately. */
    this.failed = "";
    /** Whether that may pass. */
    this.offline = false;
    /** Whether this browser keeps what was written last. */
    this.keeps = true;
    this.waiting = false;
    /** How many attempts in a row have failed. */
    this.failures = 0;
    opened.push(this);
  }

  /**
   * Takes up the entries of earlier visits. Refused ones are tried once more. The entries of another
   * account leave the page, and stay in this browser.
   * @param {string | undefined} account who is here @param {(entry: E) => boolean} [wanted]
   */
  resume(account, wanted = () => true) {
    for (const { key, account: whose } of this.entries.values())
      if (whose && whose !== account) this.entries.delete(key);
    for (const entry of this.kept.of(account).filter(wanted))
      if (!this.entries.has(entry.key))
        this.entries.set(entry.key, { ...entry, trouble: undefined });
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
    const request = this.ways.request(entry) ?? undefined;
    this.keeps = this.kept.write({ ...entry, request });
    return this.keeps;
  }

  /** Whether this page sends what is kept under a name. @param {string} name @param {E} entry */
  sends(name, { key }) {
    return name === `${this.kept.name}.${key}` && this.entries.has(key);
  }

  /** @param {string} key */
  drop(key) {
    this.entries.delete(key);
    this.choices.delete(key);
    this.kept.drop(key);
  }

  /** Whether it is saved, in words. @param {string} key */
  words(key) {
    const entry = this.entries.get(key);
    if (!entry) return gettext("Saved.");
    if (this.choices.has(key)) return gettext("Choose a version.");
    const detail = entry.trouble ?? this.failed;
    if (!detail) return gettext("Not saved yet…");
    const why = gettext("Not saved. {detail}", { detail });
    if (entry.trouble) return why;
    if (!this.keeps)
      return `${why} ${gettext("Leave this page open: it will be sent as soon as possible.")}`;
    const later = gettext(
      "It is kept in this browser and will be sent as soon as a page of this site is open with a connection.",
    );
    return `${why} ${this.offline ? later : gettext("It is kept in this browser.")}`;
  }

  /** The choice between two versions, to be put into the page. @param {string} key */
  choice(key) {
    const choice = this.choices.get(key);
    if (choice) choice.box ??= conflictBox(choice.other, choice.differing, choice);
    return choice?.box;
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
  }

  #next() {
    return [...this.entries.values()].find((entry) => this.#due(entry));
  }

  /** @param {E} entry */
  #due(entry) {
    return !entry.trouble && !this.choices.has(entry.key) && this.ways.request(entry) !== null;
  }

  /**
   * Sends an entry. Returns whether others may follow.
   * @param {E} entry @param {boolean} [leaving] whether the page is left
   */
  async pass(entry, leaving = false) {
    let response = await this.#send(entry, leaving);
    if (response.status === 403 && this.ways.visitor) {
      await this.ways.visitor();
      if (!this.entries.has(entry.key)) return true; // its writer is not here any more
      if (this.#due(entry)) response = await this.#send(entry, leaving);
    }
    this.offline = !response.ok && mayPass(response.status);
    const stays = this.offline || response.status === 403;
    this.failed = response.ok || !stays ? "" : response.data.detail;
    if (this.offline && entry.revision === null) this.unanswered.add(entry.key);
    if (!this.offline) this.failures = 0;
    else this.saveSoon(this.#longer(response));
    if (!stays) this.#settle(entry, response);
    this.ways.changed?.(entry.key, response);
    return !stays;
  }

  /** @param {E} entry @param {boolean} leaving @returns {Promise<Response<Data>>} */
  #send(entry, leaving) {
    const { method, url, body } = /** @type {Request} */ (this.ways.request(entry));
    return this.ask(method, url, body, leaving);
  }

  /** How long to wait after another failure, in ms: at least as the site says. @param {Response<Data>} response */
  #longer(response) {
    const longer = Math.min(AGAIN_MS * 2 ** this.failures, LONGEST_MS);
    this.failures += 1;
    return Math.max(longer, response.ok ? 0 : (response.wait ?? 0));
  }

  /** @param {E} sent @param {Response<Data>} response */
  #settle(sent, response) {
    const now = this.entries.get(sent.key) ?? sent;
    /** @type {E | null} */
    let left;
    if (response.ok)
      left = this.ways.saved(sent, response.data, now.edit === sent.edit ? null : now);
    else if (response.status === 404 && now.removed) left = null;
    else if (response.status === 409) left = this.#overtaken(now, response.data);
    else left = { ...(this.ways.refused?.(now) ?? now), trouble: response.data.detail };
    this.unanswered.delete(sent.key);
    if (!left) this.drop(sent.key);
    else if (this.entries.has(sent.key)) this.write(left);
  }

  /** Someone else was faster, or an answer was lost. @param {E} now @param {Refusal} data @returns {E | null} */
  #overtaken(now, data) {
    const { ways } = this;
    const theirs = /** @type {Data & Entry} */ (data.now);
    if (this.unanswered.has(now.key) && theirs.revision === 1) return ways.based(now, theirs);
    const merged = ways.merged?.(now, theirs);
    if (merged) return merged;
    const differing = ways.differences(now, theirs);
    if (!differing.length) return ways.saved(now, theirs, null);
    const own = () => this.entries.get(now.key) ?? now;
    /** @param {E} chosen */
    const save = (chosen) => {
      this.choices.delete(now.key);
      this.put(ways.based(chosen, theirs));
      return this.save();
    };
    const { both = withBothTexts } = ways;
    this.choices.set(now.key, {
      ...{ other: data.changed, differing },
      own: () => save(own()),
      theirs: () => {
        const left = own();
        this.drop(now.key);
        return ways.taken(theirs, left);
      },
      both: both(now, theirs) && (() => save(both(own(), theirs) ?? own())),
    });
    return now;
  }
}
