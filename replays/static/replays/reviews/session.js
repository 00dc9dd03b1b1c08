/**
 * A review's socket, and its shared state. No DOM.
 *
 * Frames have the changes (docs/reference/reviews.md). The first after each welcome has everything.
 * @import { ErrorFrame, NoteFrame, ReviewErrorFrame, ReviewFrame, SaidInReview } from "frames"
 * @import { ChatNews } from "../../games/live/socket.js"
 * @typedef {NonNullable<ReviewFrame["place"]> & {heard: number, age: number}} Place `heard`: when
 *   it came, on this browser's clock. `age`: how old it was then, in ms.
 * @typedef {NonNullable<ReviewFrame["people"]>[number]} Person
 * @typedef {NonNullable<ReviewFrame["hands"]>[number]} Hand
 * @typedef {NonNullable<ReviewFrame["moments"]>} Moments
 * @typedef {Moments["changed"][number]} Moment
 * @typedef {(type: SaidInReview["type"], fields?: object) => boolean} Say
 *   whether there is a connection
 * @typedef {{changed: (parts: Set<string>) => void, status: (status: string, why: string) => void,
 *   note?: (note: NoteFrame["note"], match: number) => void,
 *   chat?: (frame: ChatNews) => void, refused?: (frame: ErrorFrame | ReviewErrorFrame) => void}} Listeners
 */

import { LiveSocket } from "../../games/live/socket.js";
import { gettext } from "../../games/words/gettext.js";

/** How many frames are acknowledged together, and after how long fewer are. */
const GOT_FRAMES = 8;
const GOT_MS = 5000;

export class ReviewSession {
  /**
   * @param {string} url @param {Listeners} listeners
   * @param {import("../../games/live/socket.js").World} [world]
   */
  constructor(url, listeners, world) {
    this.listeners = listeners;
    /** @type {number | null} */
    this.you = null;
    this.owner = 0;
    this.leader = 0;
    this.leaderName = "";
    /** @type {Place | null} */
    this.place = null;
    /** @type {Hand[]} */
    this.hands = [];
    /** @type {Person[]} */
    this.people = [];
    this.here = 0;
    /** How many of those who are here look around. */
    this.detached = 0;
    /** @type {Map<number, Moment>} */
    this.moments = new Map();
    /** The members who may say nothing. @type {number[]} */
    this.muted = [];
    this.ended = false;
    this.seq = 0;
    this.ungot = 0;
    this.timer = /** @type {unknown} */ (null);
    /** @type {import("../../games/live/socket.js").Listener} */
    const listener = {
      status: (status, why) => listeners.status(status, why),
      welcome: ({ you }) => {
        this.you = you;
        listeners.changed(new Set(["you"]));
      },
      chat: (frame) => listeners.chat?.(frame),
      error: (frame) => listeners.refused?.(frame),
      other: (frame) => {
        if (frame.type === "review") this.#news(frame);
        else if (frame.type === "note") listeners.note?.(frame.note, frame.match);
      },
    };
    this.socket = new LiveSocket(url, listener, { world });
  }

  start() {
    this.socket.start();
  }

  /** Whether this viewer moves everyone. */
  get leading() {
    return this.you !== null && this.you === this.leader && !this.ended;
  }

  /** Whether this viewer may say nothing. */
  get silenced() {
    return this.you !== null && this.muted.includes(this.you);
  }

  /** @type {Say} */
  say(type, fields = {}) {
    return this.socket.send(/** @type {SaidInReview} */ ({ type, ...fields }));
  }

  /** @param {ReviewFrame} frame */
  #news(frame) {
    const parts = new Set(Object.keys(frame));
    if (frame.place) {
      const { now } = this.socket.world;
      const age = Math.max(frame.now - frame.place.at, 0);
      this.place = { ...frame.place, heard: now(), age: frame.place.at ? age : 0 };
    }
    if (frame.leader) {
      const { owner = 0, leader, leader_name: name = "", hands = [], muted = [] } = frame;
      Object.assign(this, { owner, leader, leaderName: name, hands, muted });
    }
    if (frame.people) {
      const { people, here = 0, detached = 0 } = frame;
      Object.assign(this, { people, here, detached });
    }
    if (frame.moments) this.#list(frame.moments);
    if (frame.ended) this.ended = true;
    this.seq = frame.seq;
    this.ungot += 1;
    if (this.ungot >= GOT_FRAMES) this.#got();
    else this.timer ??= this.socket.world.later(GOT_MS, () => this.#got());
    this.listeners.changed(parts);
  }

  /** @param {Moments} moments */
  #list({ changed, all }) {
    for (const moment of changed) this.moments.set(moment.n, moment);
    const kept = new Set(all);
    for (const n of this.moments.keys()) if (!kept.has(n)) this.moments.delete(n);
  }

  #got() {
    this.socket.world.cancel(this.timer);
    this.timer = null;
    this.ungot = 0;
    this.say("got", { seq: this.seq });
  }
}

/** Why something was refused, by code (`REFUSALS` of `replays/reviews/room.py`). @type {Record<string, string>} */
const WORDS = {
  ended: gettext("The review has ended."),
  "not-leader": gettext("Only the leader can do that."),
  "not-owner": gettext("Only the person who started the review can do that."),
  nameless: gettext("Choose a name first."),
  "no-such": gettext("There is no such suggestion or person here."),
  full: gettext("A review has at most 100 suggestions."),
  muted: gettext("You are muted in this review."),
  silenced: gettext("Someone who is muted cannot lead."),
  "too-often": gettext("Too many at once: wait a moment."),
};

/** @param {string} code */
export const refusalWords = (code) => WORDS[code] ?? gettext("That did not work.");
