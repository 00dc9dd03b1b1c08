// @ts-check
/**
 * The variations of a match, and storage for the user's own: each change is stored in this browser
 * at once, and stays there until the server has acknowledged it. What an account has made is
 * neither shown nor sent while it is not logged in.
 *
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("./linedrafts.js").Own} Own
 * @typedef {{notes: string, variations: string, variation: string}} Urls  `variation` has `KEY`
 */

import { send } from "../../games/dom/sending.js";
import { LineDrafts } from "./linedrafts.js";
import { recorded } from "./lines.js";

const AGAIN_MS = 4000;

/** A refusal by the server. */
class Refusal extends Error {
  /** @param {string} words @param {number} status @param {any} body */
  constructor(words, status, body) {
    super(words);
    this.status = status;
    this.body = body;
  }
}

export class LineStore {
  /** @param {string} match @param {Urls} urls @param {Storage} storage */
  constructor(match, urls, storage) {
    this.urls = urls;
    this.stored = new LineDrafts(match, storage);
    /** @type {Map<string, Line>} */
    this.lines = new Map();
    /** What the server has not acknowledged. @type {Map<string, Own>} */
    this.drafts = new Map();
    /** The latest revision that each line is known to have. @type {Map<string, number>} */
    this.revisions = new Map();
    this.mayWrite = false;
    /** What was asked for, how many variations came, and how many had no room. */
    this.asked = { place: "", reached: 0, left: 0 };
    /** Whose drafts are shown; empty: a guest's, undefined: not known yet. @type {string | undefined} */
    this.account = undefined;
    /** Who signs, if it is an account. @type {{as?: string}} */
    this.signer = {};
    /** Called before drafts of somebody who has logged out disappear. */
    this.onWithhold = () => {};
    /** Why the server takes nothing from this visitor any more. */
    this.refused = "";
    this.name = "";
    this.csrf = "";
    /** New lines that were sent and not answered: the server may have them. @type {Set<string>} */
    this.unanswered = new Set();
    /** What is being saved. @type {Promise<void> | null} */
    this.saving = null;
    /** Increases with every change. */
    this.version = 0;
    /** Whether the server could not be reached. */
    this.offline = false;
    this.timer = 0;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
  }

  /** @param {() => void} watcher called after anything has changed */
  onChange(watcher) {
    this.watchers.add(watcher);
  }

  #notify() {
    this.version += 1;
    this.watchers.forEach((watcher) => watcher());
  }

  /**
   * Loads all variations: those in the record, on the server, and not yet saved.
   * @param {import("../../games/match/log.js").Note[]} notes
   * @param {string} place as a query
   */
  async load(notes, place) {
    this.addRecorded(notes);
    const given = await this.#given(place);
    this.#adopt(given);
    // Made while it was not known who is here.
    for (const own of this.drafts.values()) own.account ??= this.account;
    this.#readDrafts();
    this.asked = { place, reached: 0, left: 0 };
    this.#take(given);
    this.#notify();
    this.save();
  }

  /** Fetches more of the variations that had no room in one answer. */
  async more() {
    const { asked } = this;
    const given = await this.#given(`${asked.place}&after=${asked.reached}`);
    if (asked !== this.asked) return; // pressed twice, or loaded anew
    this.#take(given);
    this.#notify();
  }

  /** @param {any} given the server's answer, if any */
  #take(given) {
    if (!given) return;
    for (const line of given.variations) if (!line.deleted) this.#add(lineFrom(line));
    const reached = this.asked.reached + given.variations.length;
    this.asked = { ...this.asked, reached, left: given.left };
  }

  /** What the server says about the match's notes; null if it cannot be reached. @param {string} place */
  async #given(place) {
    try {
      return await this.ask("GET", this.urls.notes + place);
    } catch {
      this.offline = true;
      return null;
    }
  }

  /** Takes over who is asking. @param {any} given the server's answer, if any */
  #adopt(given) {
    if (!given) return;
    Object.assign(this, { mayWrite: given.may_write, name: given.name, csrf: given.csrf });
    this.account = given.account;
    this.signer = given.guest ? {} : { as: given.name };
  }

  /** Whether it may be shown and sent: not what an account made that is not logged in. @param {Own} own */
  #ours({ account }) {
    return !account || account === this.account;
  }

  /** Withholds what was made by somebody who has logged out; it stays in this browser's storage. */
  async #withhold() {
    const given = await this.#given("");
    if (!given || given.account === this.account) return;
    this.onWithhold();
    this.#adopt(given);
    for (const own of [...this.drafts.values()]) {
      if (this.#ours(own)) continue;
      this.drafts.delete(own.key);
      this.lines.delete(own.key);
    }
  }

  /** @param {import("../../games/match/log.js").Note[]} notes of the log, as far as known */
  addRecorded(notes) {
    for (const line of recorded(notes)) this.lines.set(line.key, line);
    this.#notify();
  }

  /** @param {Line} line the server's version; a draft is newer, and so may be what is known */
  #add(line) {
    const { key, revision } = line;
    if (this.drafts.has(key) || (revision ?? 0) < (this.revisions.get(key) ?? 0)) return;
    this.#note(key, revision);
    this.lines.set(key, line);
  }

  /** @param {string} key @param {number | null} [revision] */
  #note(key, revision) {
    if (revision) this.revisions.set(key, revision);
  }

  /**
   * Reads a variation as it is on the site now, and those that it branches from. One that this
   * visitor may not see, or that is not saved yet, stays as it is known here.
   * @param {string} key
   */
  async fetch(key) {
    if (this.drafts.has(key)) return;
    try {
      const line = lineFrom(await this.ask("GET", this.urls.variation.replace("KEY", key)));
      if (line.line && !this.lines.has(line.line)) await this.fetch(line.line);
      this.#add(line);
      this.#notify();
    } catch {
      // It stays as it is known.
    }
  }

  #readDrafts() {
    for (const draft of this.stored.all()) {
      if (!this.#ours(draft) || this.drafts.has(draft.key)) continue;
      this.drafts.set(draft.key, draft);
      if (!draft.removed) this.lines.set(draft.key, draft);
    }
  }

  /** Stores the current version of a line, and saves it as soon as possible. @param {Line} line */
  keep(line) {
    this.#changed(line, { restoring: this.drafts.get(line.key)?.restoring });
  }

  /** Removes a line; `restore` brings it back. @param {Line} line */
  remove(line) {
    this.#changed(line, { removed: true });
  }

  /** Restores a removed line. @param {Line} line */
  restore(line) {
    this.#changed(line, { restoring: line.revision !== null });
  }

  /** @param {Line} line @param {Partial<Own>} how */
  #changed(line, how) {
    this.refused = "";
    const before = this.drafts.get(line.key);
    const edit = (before?.edit ?? 0) + 1;
    const account = before?.account || this.account;
    const known = { trouble: undefined, removed: undefined, restoring: undefined };
    this.#write({ ...line, ...known, ...how, edit, account });
    this.save();
  }

  /** @param {Own} own */
  #write(own) {
    this.drafts.set(own.key, own);
    if (own.removed) this.lines.delete(own.key);
    else this.lines.set(own.key, own);
    this.stored.write(own); // without storage, it still goes to the server
    this.#notify();
  }

  /** Whether everything has been acknowledged. */
  get saved() {
    return this.drafts.size === 0;
  }

  /** Sends what is not acknowledged, one by one; what changes meanwhile is sent too. */
  save() {
    if (this.mayWrite) this.saving ??= this.#saveAll();
    return this.saving ?? Promise.resolve();
  }

  async #saveAll() {
    clearTimeout(this.timer);
    await null; // `saving` is set by now
    try {
      for (let next = this.#waiting(); next; next = this.#waiting()) await this.#send(next);
      this.offline = false;
    } catch {
      this.offline = true;
      this.timer = Number(setTimeout(() => this.save(), AGAIN_MS));
    }
    this.saving = null;
    this.#notify();
  }

  /** The next draft that the server can accept: one whose parent it has. */
  #waiting() {
    return [...this.drafts.values()].find(
      (draft) => !draft.trouble && !(draft.line && this.drafts.get(draft.line)?.revision === null),
    );
  }

  /** @param {Own} own */
  async #send(own) {
    try {
      const answer = await this.#sent(own);
      this.#acknowledge(own, answer);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) {
        if (own.revision === null) this.unanswered.add(own.key);
        throw error;
      }
      if (
        error.status === 409 &&
        this.unanswered.delete(own.key) &&
        error.body.now.revision === 1
      ) {
        // It was saved after all, and has been changed here since.
        this.#write({ ...(this.drafts.get(own.key) ?? own), revision: 1 });
        return;
      }
      if (error.status === 403) {
        this.refused = error.message;
        this.mayWrite = false;
        await this.#withhold();
        throw error;
      }
      this.#refuse(own, error);
    }
  }

  /** @param {Own} own @returns {Promise<any>} */
  #sent(own) {
    const { key, revision, round, event, line, events, text, tags, removed } = own;
    const { visibility, readers = [], order = 0 } = own;
    const url = this.urls.variation.replace("KEY", key);
    const said = { events, text, tags, visibility, readers };
    if (removed && revision === null)
      return this.unanswered.delete(key) ? this.#removeUnanswered(url) : Promise.resolve(null);
    const { signer } = this;
    if (removed) return this.ask("DELETE", url, { revision, ...signer });
    if (own.restoring) return this.ask("POST", `${url}/restore`, { ...signer });
    if (revision === null)
      return this.ask("POST", this.urls.variations, {
        key,
        round,
        event,
        line,
        ...said,
        ...signer,
      });
    return this.ask("PUT", url, { revision, ...said, order, ...signer });
  }

  /** Deletes a line that the server may have, or not. @param {string} url */
  async #removeUnanswered(url) {
    try {
      const { revision } = await this.ask("GET", url);
      return await this.ask("DELETE", url, { revision, ...this.signer });
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * Lets a variation branch off where its parent does; returns why not, if it cannot.
   * @param {Line} given
   */
  async promote(given) {
    await this.save();
    const line = this.lines.get(given.key) ?? given;
    const parent = this.lines.get(line.line ?? "");
    if (!parent) return "it branches from what happened already";
    if (line.revision === null) {
      const before = Math.max(0, line.event - parent.event);
      const events = [...parent.events.slice(0, before), ...line.events];
      const event = Math.min(line.event, parent.event);
      this.keep({ ...line, event, line: parent.line, events });
      return "";
    }
    const url = `${this.urls.variation.replace("KEY", line.key)}/promote`;
    try {
      const body = { revision: line.revision, ...this.signer };
      this.#add(lineFrom(await this.ask("POST", url, body)));
    } catch (error) {
      return error instanceof Refusal ? error.message : "no connection";
    }
    this.#notify();
    return "";
  }

  /** @param {Own} own @param {any} answer */
  #acknowledge(own, answer) {
    this.#note(own.key, answer?.revision);
    const now = this.drafts.get(own.key);
    if (now && now.edit !== own.edit) {
      // It was changed while being sent: only the revision is new.
      this.#write({ ...now, revision: answer?.revision ?? null });
      return;
    }
    this.drafts.delete(own.key);
    this.stored.drop(own.key);
    if (answer && !own.removed) this.lines.set(own.key, lineFrom(answer));
    this.#notify();
  }

  /** @param {Own} own @param {Refusal} error */
  #refuse(own, error) {
    const now = this.drafts.get(own.key) ?? own;
    const wanting = error.status === 409 ? error.body.now.revision : undefined;
    const trouble = wanting
      ? "It was changed elsewhere in the meantime. Change it again here to keep this version."
      : error.message;
    // A further change is based on the current version.
    this.#write({ ...now, trouble, revision: wanting ?? now.revision });
  }

  /** @param {string} method @param {string} url @param {object} [body] @returns {Promise<any>} */
  async ask(method, url, body) {
    const headers = { Accept: "application/json", "X-CSRFToken": this.csrf };
    const response = await send(url, {
      method,
      headers: body ? { ...headers, "Content-Type": "application/json" } : headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const given = await response.json().catch(() => ({}));
    if (!response.ok) throw new Refusal(given.error ?? response.statusText, response.status, given);
    return given;
  }
}

/** @param {any} given as received from the server @returns {Line} */
const lineFrom = (given) => ({
  key: given.key,
  round: given.round,
  event: given.event,
  line: given.line ?? null,
  events: given.events,
  by: given.by ?? "",
  text: given.text ?? "",
  html: given.html ?? "",
  tags: given.tags ?? [],
  order: given.order ?? 0,
  readers: given.readers ?? [],
  mine: given.mine ?? false,
  recorded: false,
  visibility: given.visibility,
  revision: given.revision,
  token: given.token ?? "",
});
