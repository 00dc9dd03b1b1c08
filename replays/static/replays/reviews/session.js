// @ts-check
/**
 * A review's socket, and what it says everybody shares. No DOM.
 *
 * Frames say what has changed (docs/reviews.md); the first after each welcome says everything.
 *
 * @typedef {import("../../games/live/socket.js").Frame} Frame
 * @typedef {{round: number, event: number, line: string, chapter: number, t: number, playing: boolean,
 *   following: boolean, smart: boolean, speed: number, view: string, id: string, at: number,
 *   heard: number, age: number}} Place
 *   `heard`: when it came, on this browser's clock; `age`: how old it was then, in ms
 * @typedef {{n: number, name: string, account: boolean, detached: boolean}} Person
 * @typedef {{n: number, name: string, lead: boolean}} Hand
 * @typedef {{n: number, by: string, member: number, drawn: boolean, round: number, event: number,
 *   line: string, chapter: number, marks: string[], arrows: string[], text: string}} Moment
 * @typedef {{changed: (parts: Set<string>) => void, status: (status: string, why: string) => void,
 *   pointer: (path: [number, string, number, number][]) => void,
 *   note: (note: any, match: number) => void,
 *   chat: (frame: Frame) => void, refused: (frame: Frame) => void}} Listeners
 */

import { LiveSocket } from "../../games/live/socket.js";

/** How many frames are acknowledged together, and after how long fewer are. */
const GOT_FRAMES = 8;
const GOT_MS = 5000;

export class ReviewSession {
  /**
   * @param {string} url
   * @param {Listeners} listeners
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
    this.timer = /** @type {any} */ (null);
    const listener = {
      status: (/** @type {string} */ status, /** @type {string} */ why) =>
        listeners.status(status, why),
      welcome: (/** @type {Frame} */ frame) => this.#welcome(frame),
      chat: (/** @type {Frame} */ frame) => listeners.chat(frame),
      error: (/** @type {Frame} */ frame) => listeners.refused(frame),
      other: (/** @type {Frame} */ frame) => this.#other(frame),
    };
    this.socket = new LiveSocket(url, listener, { world });
  }

  start() {
    this.socket.start();
  }

  /** Whether this viewer moves everybody. */
  get leading() {
    return this.you !== null && this.you === this.leader && !this.ended;
  }

  /** Whether this viewer may say nothing. */
  get silenced() {
    return this.you !== null && this.muted.includes(this.you);
  }

  /** @param {string} type @param {object} [fields] @returns {boolean} whether there is a connection */
  say(type, fields = {}) {
    return this.socket.send({ type, ...fields });
  }

  /** @param {Frame} frame */
  #welcome(frame) {
    this.you = frame.you;
    this.listeners.changed(new Set(["you"]));
  }

  /** @param {Frame} frame */
  #other(frame) {
    if (frame.type === "review") this.#news(frame);
    else if (frame.type === "pointer") this.listeners.pointer(frame.path);
    else if (frame.type === "note") this.listeners.note(frame.note, frame.match);
  }

  /** @param {Frame} frame */
  #news(frame) {
    const parts = new Set(Object.keys(frame));
    if (frame.place) {
      const { now } = this.socket.world;
      const age = Math.max(frame.now - frame.place.at, 0);
      this.place = { ...frame.place, heard: now(), age: frame.place.at ? age : 0 };
    }
    if (frame.leader) {
      this.owner = frame.owner;
      this.leader = frame.leader;
      this.leaderName = frame.leader_name;
      this.hands = frame.hands;
      this.muted = frame.muted;
    }
    if (frame.people) {
      this.people = frame.people;
      this.here = frame.here;
      this.detached = frame.detached;
    }
    if (frame.moments) this.#list(frame.moments);
    if (frame.ended) this.ended = true;
    if (frame.pointer && !this.leading) this.listeners.pointer(frame.pointer);
    this.#came(frame.seq);
    this.listeners.changed(parts);
  }

  /** @param {{changed: Moment[], all: number[]}} moments */
  #list({ changed, all }) {
    for (const moment of changed) this.moments.set(moment.n, moment);
    const kept = new Set(all);
    for (const n of this.moments.keys()) if (!kept.has(n)) this.moments.delete(n);
  }

  /** @param {number} seq */
  #came(seq) {
    this.seq = seq;
    this.ungot += 1;
    if (this.ungot >= GOT_FRAMES) this.#got();
    else this.timer ??= this.socket.world.later(GOT_MS, () => this.#got());
  }

  #got() {
    this.socket.world.cancel(this.timer);
    this.timer = null;
    this.ungot = 0;
    this.say("got", { seq: this.seq });
  }
}
