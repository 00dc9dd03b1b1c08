/**
 * The notes of a match that this reader may see, and how to change them.
 * @typedef {import("./items.js").Item} Item
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/dom/asking.js").Response<NotesJson>} Response
 * @import { NoteJson, NotesJson } from "api"
 */

import { ask } from "../../games/dom/asking.js";
import { Newest } from "../../games/dom/newest.js";
import { inClasses } from "../outbox/audience.js";
import { itemOf, itemsOfLog } from "./items.js";

export class NoteStore {
  /**
   * @param {string} url of the match's notes
   * @param {Player} player
   * @param {string} share the token of a link
   * @param {string} linked the key of the note that a link leads to
   */
  constructor(url, player, share, linked = "") {
    this.ask = ask;
    this.url = url;
    this.player = player;
    this.share = share;
    this.linked = linked;
    /** How many answers' worth of notes are wanted, and how many notes come after them. */
    this.pages = 1;
    this.left = 0;
    /** @type {Item[]} */
    this.stored = [];
    this.ofLog = itemsOfLog([]);
    this.logged = -1;
    /** What the server says about the visitor. */
    this.may = {
      ...{ write: false, reply: false, settle: false, hide: false, study: false },
      ...{ guest: true, account: "", name: "" },
    };
    /** The accounts that may be mentioned. @type {string[]} */
    this.names = [];
    /** @type {NonNullable<NotesJson["classes"]>} */
    this.classes = {};
    this.failed = "";
    this.loaded = false;
    /** The requests for all notes. */
    this.newest = new Newest();
    /** What has changed since each request that is under way. @type {Set<Map<string, Item>>} */
    this.changes = new Set();
    /** @type {Set<() => void>} */
    this.watchers = new Set();
  }

  /** The account that signs, even after it has logged out. @returns {{as?: string}} */
  get signer() {
    return this.may.guest ? {} : { as: this.may.name };
  }

  /** @param {() => void} watcher called when the notes have changed */
  onChange(watcher) {
    this.watchers.add(watcher);
  }

  changed() {
    this.watchers.forEach((watcher) => watcher());
  }

  get items() {
    return [...this.ofLog, ...this.stored.filter((item) => !item.deleted)];
  }

  /** @param {string} key */
  find(key) {
    return this.items.find((item) => item.key === key) ?? null;
  }

  /** Reads notes from a log that has grown. */
  readLog() {
    const { notes } = this.player.log;
    if (notes.length === this.logged) return;
    this.logged = notes.length;
    this.ofLog = itemsOfLog(notes);
    this.changed();
  }

  /** Fetches the notes. For a viewer who hides results, those up to the cursor. */
  async load() {
    const { cursor, log } = this.player;
    const query = new URLSearchParams({ only: "notes" });
    if (this.share) query.set("share", this.share);
    if (this.linked) query.set("note", this.linked);
    if (log.endHidden) {
      query.set("round", String(cursor.round));
      query.set("event", String(cursor.event));
    }
    const current = this.newest.ask();
    /** @type {Map<string, Item>} */
    const since = new Map();
    this.changes.add(since);
    const { ok, data } = await this.#pages(query);
    this.changes.delete(since);
    if (!current()) return;
    if (ok) return this.adopt(data, since);
    if (this.failed === data.detail) return;
    this.failed = data.detail;
    this.changed();
  }

  /** All pages as one. @param {URLSearchParams} query @returns {Promise<Response>} */
  async #pages(query) {
    /** @type {Response} */
    const first = await this.ask("GET", `${this.url}?${query}`);
    let last = first;
    for (let page = 1; page < this.pages && first.ok && last.ok && last.data.left; page += 1) {
      query.set("after", String(first.data.notes.length));
      last = await this.ask("GET", `${this.url}?${query}`);
      if (!last.ok) return last;
      first.data.notes.push(...last.data.notes);
      first.data.left = last.data.left;
    }
    return first;
  }

  /** Fetches more of the notes that had no room in one answer. */
  more() {
    this.pages += 1;
    return this.load();
  }

  /**
   * Takes over an answer of the server. One that changes nothing is no change.
   * @param {NotesJson} answer
   * @param {Map<string, Item>} [since] what has changed since it was asked for
   */
  adopt(answer, since = new Map()) {
    const { may_write, may_reply, may_settle, may_hide, study } = answer;
    const { guest, account, name, names, classes, notes, left } = answer;
    const known = this.#known;
    this.failed = "";
    this.may = {
      ...{ write: may_write, reply: may_reply, settle: may_settle, hide: may_hide, study },
      ...{ guest, account, name },
    };
    this.names = names;
    this.classes = classes ?? {};
    inClasses(this.classes);
    this.left = left;
    const before = notes.map(itemOf).filter(({ key }) => !since.has(key));
    this.stored = [...before, ...since.values()];
    this.loaded = true;
    if (this.#known !== known) this.changed();
  }

  /** All that answers have brought, to compare. */
  get #known() {
    const { loaded, failed, may, names, classes, left, stored } = this;
    return JSON.stringify({ loaded, failed, may, names, classes, left, stored });
  }

  /**
   * Sends a change to a note and applies the server's response.
   * @param {string} method @param {string} path @param {object} body
   * @param {boolean} [keepalive] whether a short one is sent although the page is left
   */
  async change(method, path, body, keepalive = false) {
    /** @type {import("../../games/dom/asking.js").Response<NoteJson>} */
    const answer = await this.ask(method, path, body, keepalive);
    if (answer.ok && answer.data.key) this.take(itemOf(answer.data));
    return answer;
  }

  /** @param {Item} item */
  take(item) {
    for (const since of this.changes) since.set(item.key, item);
    this.stored = [...this.stored.filter(({ key }) => key !== item.key), item];
    this.changed();
  }
}
