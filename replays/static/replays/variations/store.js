/**
 * The variations of a match, and storage for the user's own: each change is stored in this browser
 * at once, and stays there until the server has acknowledged it. An account's variations are
 * neither shown nor sent while it is not logged in.
 * @import { RoundEvent } from "../../games/match/fold.js"
 * @import { Line, Own } from "./lines.js"
 * @import { NotesJson, VariationJson } from "api"
 * @typedef {{notes: string, variations: string, variation: string}} Urls  `variation` has `KEY`
 */

import { ask } from "../../games/dom/asking.js";
import { cardName, clock, stackName } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { audienceWords } from "../outbox/audience.js";
import { differing } from "../outbox/conflict.js";
import { Outbox } from "../outbox/outbox.js";
import { draftsOf, lineOf, recorded } from "./lines.js";

/** `0:05.3, a 5, stack 2`. @param {RoundEvent} event */
const briefly = (event) =>
  [
    clock(event.t),
    ...("card" in event ? [cardName(event.card)] : []),
    ...("stack" in event ? [stackName(event.stack)] : []),
  ].join(", ");

/** What tells an event from others. @param {any} event */
const madeOf = ({ t, seat, do: kind, card, cards, stack, as }) =>
  [t, seat, kind, card, cards, stack, as].join();

/** Where two versions differ, in words. @param {Own} own @param {Line} theirs */
const lineDifferences = (own, theirs) =>
  differing(
    [
      [gettext("What-if"), ({ removed, text }) => (removed ? gettext("Deleted.") : text)],
      [gettext("Tags"), ({ tags }) => tags.join(", ")],
      [
        gettext("Events"),
        ({ events }) => events.map(briefly).join(" · "),
        ({ events }) => events.map(madeOf),
      ],
      [gettext("Visible to"), ({ visibility }) => audienceWords(visibility)],
      [gettext("Readers"), ({ readers = [] }) => readers.join(", ")],
      [gettext("Order"), ({ order = 0 }) => String(order)],
    ],
    own,
    /** @type {Own} */ (theirs),
  );

export class LineStore {
  /**
   * @param {string} match @param {Urls} urls @param {Storage} storage
   * @param {(run: () => void, ms: number) => unknown} [later]
   */
  constructor(match, urls, storage, later) {
    this.urls = urls;
    this.ask = ask;
    /** @type {import("../outbox/outbox.js").Ways<Own, VariationJson>} */
    const ways = {
      request: (own) => this.#requestOf(own),
      saved: (sent, data, now) => {
        this.#note(sent.key, data.revision);
        if (now) return { ...now, revision: data.revision ?? null };
        if (!sent.removed) this.lines.set(sent.key, lineFrom(data));
        return null;
      },
      differences: (own, theirs) => lineDifferences(own, lineFrom(theirs)),
      based: (own, { revision }) => {
        this.chosen += 1;
        return { ...own, revision };
      },
      taken: (theirs) => {
        this.chosen += 1;
        this.lines.set(theirs.key, lineFrom(theirs));
        this.#notify();
      },
      // What is changed next is based on this.
      written: (own) => {
        if (own.removed) this.lines.delete(own.key);
        else this.lines.set(own.key, own);
      },
      visitor: () => this.#visitor(),
      changed: () => this.#notify(),
    };
    const send = (/** @type {Parameters<typeof ask>} */ ...request) => this.ask(...request);
    this.outbox = new Outbox(draftsOf(match, storage), ways, { later, send });
    /** How often a version of a line was chosen: it is shown anew. */
    this.chosen = 0;
    /** @type {Map<string, Line>} */
    this.lines = new Map();
    /** What the server has not acknowledged. */
    this.drafts = this.outbox.entries;
    /** The latest revision that each line is known to have. @type {Map<string, number>} */
    this.revisions = new Map();
    this.mayWrite = false;
    /** What was asked for, how many variations came, and how many had no room. */
    this.asked = { place: "", reached: 0, left: 0 };
    /** Whose drafts are shown. Empty: a guest's, undefined: not known yet. @type {string | undefined} */
    this.account = undefined;
    /** Who signs, if it is an account. @type {{as?: string}} */
    this.signer = {};
    /** Called before drafts of an account that has logged out disappear. */
    this.onWithhold = () => {};
    this.name = "";
    /** Increases with every change. */
    this.version = 0;
    /** Whether the server could not be reached when variations were asked for. */
    this.unreached = false;
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
   * @param {import("../../games/match/fold.js").Remark[]} notes
   * @param {string} place as a query
   */
  async load(notes, place) {
    this.addRecorded(notes);
    const given = await this.#given(place);
    this.#adopt(given);
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

  /** @param {NotesJson | null} given the server's answer, if any */
  #take(given) {
    if (!given) return;
    for (const line of given.variations) if (!line.deleted) this.#add(lineFrom(line));
    const reached = this.asked.reached + given.variations.length;
    this.asked = { ...this.asked, reached, left: given.left };
  }

  /** The server's notes of the match. null if it cannot be reached. @param {string} place */
  async #given(place) {
    /** @type {import("../../games/dom/asking.js").Response<NotesJson>} */
    const { ok, data } = await this.ask("GET", this.urls.notes + place);
    this.unreached = !ok;
    return ok ? data : null;
  }

  /** Takes over who is asking, with what they have made. @param {NotesJson | null} given the server's answer, if any */
  #adopt(given) {
    if (given) {
      Object.assign(this, { mayWrite: given.may_write, name: given.name });
      this.account = given.account;
      this.signer = given.guest ? {} : { as: given.name };
    }
    for (const own of this.drafts.values()) {
      own.account ??= this.account; // made while it was not known who is here
      this.lines.delete(own.key);
    }
    this.outbox.resume(this.account);
    for (const [key, draft] of this.drafts) {
      const own = lineOf(draft); // a ghost race and an earlier release leave fields out
      this.drafts.set(key, own);
      if (!draft.removed) this.lines.set(key, own);
    }
  }

  /** Withholds the work of an account that has logged out. It stays in this browser's storage. */
  async #visitor() {
    const given = await this.#given("");
    if (given && given.account !== this.account) this.onWithhold();
    this.#adopt(given);
  }

  /** @param {import("../../games/match/fold.js").Remark[]} notes of the log, as far as known */
  addRecorded(notes) {
    for (const line of recorded(notes)) this.lines.set(line.key, line);
    this.#notify();
  }

  /** @param {Line} line the server's version. A draft is newer, and so may be the known one */
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
    /** @type {import("../../games/dom/asking.js").Response<VariationJson>} */
    const { ok, data } = await this.ask("GET", this.urls.variation.replace("KEY", key));
    if (!ok) return;
    const line = lineFrom(data);
    if (line.line && !this.lines.has(line.line)) await this.fetch(line.line);
    this.#add(line);
    this.#notify();
  }

  /** Stores the current version of a line, and saves it as soon as possible. @param {Line} line */
  keep(line) {
    this.#changed(line, { restoring: this.drafts.get(line.key)?.restoring });
  }

  /** Removes a line. `restore` brings it back. @param {Line} line */
  remove(line) {
    this.#changed(line, { removed: true });
  }

  /** Restores a removed line. @param {Line} line */
  restore(line) {
    this.#changed(line, { restoring: line.revision !== null });
  }

  /** @param {Line} line @param {Partial<Own>} how */
  #changed(line, how) {
    const before = this.drafts.get(line.key);
    const account = before?.account || this.account;
    const known = { removed: undefined, restoring: undefined };
    this.outbox.put({ ...line, ...known, ...how, account }); // it goes out without storage too
    this.#notify();
    this.save();
  }

  get saved() {
    return this.drafts.size === 0;
  }

  /** Whether the user's work is saved, in words, and any choice between two versions. */
  get state() {
    const { outbox, drafts } = this;
    const [first] = [...drafts.values()].sort((a, b) => this.#urgency(b) - this.#urgency(a));
    const key = first?.key ?? "";
    const told = !first || this.mayWrite || outbox.failed || first.trouble;
    const words = told ? outbox.words(key) : this.#waitingWords();
    return { words, choice: outbox.choice(key), urgent: Boolean(first && this.#urgency(first)) };
  }

  /** @param {Own} own */
  #urgency({ key, trouble }) {
    return this.outbox.choices.has(key) ? 2 : Number(Boolean(trouble));
  }

  #waitingWords() {
    return this.unreached
      ? gettext("Not saved yet. You are offline. It is kept in this browser.")
      : gettext(
          "Saved in this browser only: you can’t save what-ifs of a match while you are playing in it.",
        );
  }

  save() {
    return this.mayWrite ? this.outbox.save() : Promise.resolve();
  }

  /** null until the server can accept it: once it has the parent. @param {Own} own @returns {import("../outbox/outbox.js").Request | null} */
  #requestOf(own) {
    const { key, revision, round, event, line, events, text, tags, removed } = own;
    const { visibility, readers = [], order = 0 } = own;
    if (!this.mayWrite || (line && this.drafts.get(line)?.revision === null)) return null;
    const url = this.urls.variation.replace("KEY", key);
    const said = { events, text, tags, visibility, readers, ...this.signer };
    // The server may have a new one that was not answered.
    if (removed)
      return { method: "DELETE", url, body: { revision: revision ?? 1, ...this.signer } };
    if (own.restoring) return { method: "POST", url: `${url}/restore`, body: { ...this.signer } };
    const { variations } = this.urls;
    if (revision === null)
      return { method: "POST", url: variations, body: { key, round, event, line, ...said } };
    return { method: "PUT", url, body: { revision, ...said, order } };
  }

  /** To its parent's branch. Returns why not, if it cannot. @param {Line} given */
  async promote(given) {
    await this.save();
    const line = this.lines.get(given.key) ?? given;
    const parent = this.lines.get(line.line ?? "");
    if (!parent) return gettext("It starts from what happened already.");
    if (line.revision === null) {
      const before = Math.max(0, line.event - parent.event);
      const events = [...parent.events.slice(0, before), ...line.events];
      const event = Math.min(line.event, parent.event);
      this.keep({ ...line, event, line: parent.line, events });
      return "";
    }
    const url = `${this.urls.variation.replace("KEY", line.key)}/promote`;
    const body = { revision: line.revision, ...this.signer };
    /** @type {import("../../games/dom/asking.js").Response<VariationJson>} */
    const { ok, data } = await this.ask("POST", url, body);
    if (!ok) return data.detail;
    this.#add(lineFrom(data));
    this.#notify();
    return "";
  }
}

/** @param {VariationJson} given */
const lineFrom = (given) => lineOf(/** @type {Line} */ (/** @type {unknown} */ (given)));

/**
 * Saves variations that are not saved yet. Returns why one could not be, or an empty text.
 * @param {LineStore} store @param {Line[]} lines
 */
export async function saveAll(store, lines) {
  const waiting = () => lines.map(({ key }) => store.drafts.get(key)).find(Boolean);
  if (!waiting()) return "";
  await store.save();
  const own = waiting();
  if (!own) return "";
  const why = store.unreached
    ? gettext("There is no connection.")
    : gettext("You can’t save what-ifs on this match.");
  return own.trouble || store.outbox.failed || why;
}
