/**
 * The presses of the tag panel that are still to be saved, one after another as their spans end. No
 * DOM.
 * @typedef {import("../../games/match/log.js").Log} Log
 * @typedef {import("./store.js").NoteStore} Store
 * @typedef {import("../outbox/kept.js").Kept<Press>} Kept
 * @import { NoteJson } from "api"
 * @import { Refused } from "../../games/dom/asking.js"
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {{name: string, shortcut: string, colour: number, before_ms: number, after_ms: number}} TagButton
 * @typedef {{key: string, tag: string, round: number, from: number, to: number, seat: number | null,
 *   visibility: string, account?: string, revision?: null}} Press `from`, `to`: ms in the round.
 *   `account`: whose it is, empty for a guest's.
 */

import { newKey } from "../../games/dom/asking.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { Outbox } from "../outbox/outbox.js";
import { itemOf } from "./items.js";

/** A coach's initial buttons. @type {TagButton[]} */
export const STARTERS = [
  { name: gettext("feeding"), shortcut: "q", colour: 1, before_ms: 4000, after_ms: 2000 },
  { name: gettext("missed take"), shortcut: "w", colour: 3, before_ms: 5000, after_ms: 2000 },
  { name: gettext("good take"), shortcut: "e", colour: 2, before_ms: 4000, after_ms: 2000 },
  { name: gettext("hesitation"), shortcut: "r", colour: 0, before_ms: 3000, after_ms: 3000 },
];

/**
 * @param {TagButton} button @param {{round: number, t: number}} cursor
 * @param {number | null} seat @param {string} visibility @returns {Press}
 */
export const pressAt = ({ name, before_ms, after_ms }, { round, t }, seat, visibility) => ({
  ...{ key: newKey(), tag: name, round, seat, visibility },
  from: Math.max(0, Math.floor(t) - before_ms),
  to: Math.floor(t) + after_ms,
});

/**
 * The note that a press creates. null while its span is not over, unless it is cut here.
 * @param {Press} press @param {Round | undefined} round
 * @param {boolean} [cut] ends the span at the last event so far
 */
export function noteOf(press, round, cut = false) {
  const { key, tag, round: number, from, to, seat, visibility } = press;
  if (!round?.loaded || (round.duration < to && !round.finished && !cut)) return null;
  const event = round.eventBy(from);
  const until = round.eventBy(to);
  return {
    ...{ key, round: number, event, tags: [tag], visibility },
    ...(until > event ? { until } : {}),
    ...(seat === null ? {} : { marks: [`seat:${seat}`] }),
  };
}

/** The fault of the buttons, in words. Empty if there is none. @param {TagButton[]} buttons */
export function wrongWith(buttons) {
  const keys = buttons.map(({ shortcut }) => shortcut.toLowerCase()).filter(Boolean);
  const names = buttons.map(({ name }) => name.trim());
  if (names.includes("")) return gettext("Each button needs a name.");
  if (new Set(names).size < names.length) return gettext("Two buttons have the same name.");
  if (new Set(keys).size < keys.length) return gettext("Two buttons have the same key.");
  return keys.every((key) => /^[a-z0-9]$/.test(key))
    ? ""
    : gettext("A key is one letter or digit.");
}

export class Presses {
  /**
   * @param {Store} store @param {Log} log @param {Kept} kept
   * @param {(words: string, bad: boolean) => void} say the failure
   * @param {(run: () => void, ms: number) => unknown} [later]
   */
  constructor(store, log, kept, say, later) {
    this.store = store;
    this.log = log;
    this.say = say;
    /** @type {Outbox<Press, NoteJson>} */
    this.outbox = new Outbox(
      kept,
      {
        send: (press) => this.#send(press),
        // The end of its span may never be seen elsewhere: what was played by then is tagged.
        request: (press) => {
          const note = this.#note(press, true);
          return note && { method: "POST", url: store.url, body: { ...note, ...store.signer } };
        },
        due: (press) => this.own.includes(press) && this.#note(press) !== null,
        saved: () => null,
        overtaken: (_, { now }) => this.#taken(now), // sent before, perhaps when the page was left
        refused: () => null,
        failed: (response) => this.#failed(response),
        loggedOut: () => store.load(),
      },
      later,
    );
  }

  /** The visitor's waiting presses: an account's are not sent by anyone else. */
  get own() {
    const { account } = this.store.may;
    return [...this.outbox.entries.values()].filter(
      (press) => !press.account || press.account === account,
    );
  }

  /** @param {Press} press */
  add(press) {
    this.outbox.put({ ...press, revision: null });
    return this.settle();
  }

  /** Takes up the presses of an earlier visit, and fetches what was played around them. */
  async load() {
    this.outbox.resume(this.store.may.account);
    for (const press of this.own) {
      const round = this.#roundOf(press);
      if (round) await this.log.load(round);
    }
  }

  /** Saves every press whose span is over. */
  settle() {
    return this.outbox.save();
  }

  /** Who leaves the page tags what was played until then: the rest of the span is not waited for. */
  async cut() {
    const cut = this.own
      .filter((press) => this.#note(press, true))
      .map((press) => this.outbox.pass(press, () => this.#send(press, true)));
    await Promise.all(cut);
  }

  /**
   * Takes a press back, saved or not.
   * @param {Press} press
   * @returns {Promise<string>} what is wrong, or nothing
   */
  async undo({ key }) {
    const { outbox, store } = this;
    if (outbox.unanswered.has(key)) await outbox.save(); // the site may have it
    if (outbox.unanswered.has(key)) return gettext("there is no connection");
    outbox.drop(key);
    await outbox.saving;
    const item = store.find(key);
    if (!item) return "";
    const { revision } = item;
    const { ok, data } = await store.change("DELETE", `/api/v1/notes/${key}`, { revision });
    return ok ? "" : data.detail;
  }

  /** @param {Press} press */
  #roundOf({ round }) {
    return this.log.rounds[round - 1];
  }

  /** @param {Press} press @param {boolean} [cut] */
  #note(press, cut) {
    return noteOf(press, this.#roundOf(press), cut);
  }

  /** @param {Press} press @param {boolean} [leaving] */
  #send(press, leaving = false) {
    const { store } = this;
    const said = { ...this.#note(press, leaving), ...store.signer };
    return store.change("POST", store.url, said, leaving);
  }

  /** @param {object | undefined} now */
  #taken(now) {
    this.store.take(itemOf(now));
    return null;
  }

  /** @param {Refused} response */
  #failed({ status, data }) {
    const waits = this.outbox.offline || status === 403;
    const words = gettext("Not saved: {detail}.", { detail: data.detail });
    const kept = ngettext(
      "{count} tag kept here, to be sent later.",
      "{count} tags kept here, to be sent later.",
      this.own.length,
    );
    this.say(waits ? `${words} ${kept}` : words, true);
  }
}
