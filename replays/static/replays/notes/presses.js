// @ts-check
/**
 * The presses of the tag panel that are still to be saved, one after another as their spans end. No
 * DOM.
 *
 * @typedef {import("../../games/match/log.js").Log} Log
 * @typedef {import("./store.js").NoteStore} Store
 * @typedef {import("./tags.js").Press} Press
 * @typedef {{keep: (pending: Press[]) => void, say: (words: string, bad: boolean) => void,
 *   later: (ms: number, run: () => void) => void}} World
 *   `keep`: for the next visit; `say`: what went wrong
 */

import { counted } from "../../games/match/words.js";
import { itemOf } from "./items.js";
import { noteOf } from "./tags.js";

const AGAIN_MS = 8000;

/** Whether it may succeed later: logged out, asked too often, or nobody answered. @param {number} status */
const mayPass = (status) => status === 0 || status >= 500 || status === 403 || status === 429;

export class Presses {
  /** @param {Store} store @param {Log} log @param {Press[]} pending of an earlier visit @param {World} world */
  constructor(store, log, pending, world) {
    this.store = store;
    this.log = log;
    this.pending = pending;
    this.world = world;
    this.sending = false;
    /** The press that is being sent. @type {{key: string, sent: Promise<boolean>} | null} */
    this.underWay = null;
  }

  /** What waits for who is here: an account's presses are not sent by anybody else. */
  get own() {
    const { account } = this.store.may;
    return this.pending.filter((press) => !press.account || press.account === account);
  }

  /** @param {Press} press */
  add(press) {
    this.#keep([...this.pending, press]);
    return this.settle();
  }

  /** @param {Press[]} pending */
  #keep(pending) {
    this.pending = pending;
    this.world.keep(pending);
  }

  /** @param {Press} press */
  #drop(press) {
    this.#keep(this.pending.filter(({ key }) => key !== press.key));
  }

  /** Fetches what was played around presses of an earlier visit. */
  async load() {
    for (const press of this.own) {
      const round = this.#roundOf(press);
      if (round) await this.log.load(round);
    }
  }

  /** Saves every press whose span is over. */
  async settle() {
    if (this.sending) return;
    this.sending = true;
    for (let due = this.#due(); due; due = this.#due()) {
      const sent = this.#send(due.press, due.note);
      this.underWay = { key: due.press.key, sent };
      if (!(await sent)) break;
    }
    this.underWay = null;
    this.sending = false;
  }

  /** Who leaves the page tags what was played until then: the rest of the span is not waited for. */
  async cut() {
    const cut = this.own.map((press) => {
      const note = noteOf(press, this.#roundOf(press), true);
      return note && this.#send(press, note, true);
    });
    await Promise.all(cut);
  }

  /**
   * Takes a press back, saved or not.
   * @param {Press} press
   * @returns {Promise<string>} what is wrong, or nothing
   */
  async undo(press) {
    this.#drop(press);
    if (this.underWay?.key === press.key) await this.underWay.sent;
    const item = this.store.find(press.key);
    if (!item) return "";
    const { revision } = item;
    const { ok, data } = await this.store.change("DELETE", `/notes/${item.key}`, { revision });
    return ok ? "" : data.error;
  }

  /** @param {Press} press */
  #roundOf({ round }) {
    return this.log.rounds[round - 1];
  }

  /** The next press to be sent, as a note: one may have come, or be taken back, at any time. */
  #due() {
    for (const press of this.own) {
      const note = noteOf(press, this.#roundOf(press));
      if (note) return { press, note };
    }
    return null;
  }

  /**
   * Sends a press; returns whether it succeeded or never will.
   * @param {Press} press
   * @param {object} note
   * @param {boolean} [leaving]
   */
  async #send(press, note, leaving = false) {
    const { store } = this;
    const words = { ...note, ...store.signer };
    const { ok, status, data } = await store.change("POST", store.url, words, leaving);
    if (status === 409) store.take(itemOf(data.now)); // sent before, perhaps when the page was left
    const waits = mayPass(status);
    if (!waits) this.#drop(press);
    if (ok || status === 409) return true;
    const kept = waits ? ` ${counted(this.own.length, "tag")} kept here, to be sent later.` : "";
    this.world.say(`Not saved: ${data.error}.${kept}`, true);
    if (status === 403) await store.load();
    else if (waits) this.world.later(AGAIN_MS, () => this.settle());
    return !waits;
  }
}
