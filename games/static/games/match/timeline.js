/**
 * A round's events, folded once as they arrive: what each met, where the marks are, and the table
 * after any of them. No DOM.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @typedef {import("./words.js").Context} Context
 * @typedef {import("./log.js").Round} Round
 */

import { apply, copyOf, deal } from "./fold.js";
import { isTake, metBy } from "./words.js";

/**
 * A table is kept after every this many events. Those in between are built from the previous one.
 */
const EVERY = 64;

/** @param {RoundEvent} event */
export const isRace = (event) => event.do === "tie" || event.do === "late";

export class Timeline {
  /** @param {import("./fold.js").Deal} line */
  constructor(line) {
    /** The table after the last event. It changes as events arrive. */
    this.table = deal(line);
    /** What each event met. @type {Context[]} */
    this.contexts = [];
    /** The numbers of takes, counted from 1. @type {number[]} */
    this.takes = [];
    /** The numbers of ties and late tries. @type {number[]} */
    this.races = [];
    /** The last play on each slot. @type {({seat: number, t: number} | null)[]} */
    this.plays = this.table.stacks.map(() => null);
    this.kept = [copyOf(this.table)];
    /** @type {RoundEvent[]} */
    this.events = [];
    /** The last requested table: the next one is usually a step further. */
    this.walking = this.kept[0];
  }

  /** @param {RoundEvent} event */
  add(event) {
    const number = this.events.push(event);
    this.contexts.push(metBy(this.table, event, this.plays));
    if (isTake(event)) this.takes.push(number);
    if (isRace(event)) this.races.push(number);
    if (event.do === "play") this.plays[event.stack] = { seat: event.seat, t: event.t };
    apply(this.table, event);
    if (number % EVERY === 0) this.kept.push(copyOf(this.table));
  }

  /** The table after the first n events. The next call changes it. @param {number} n */
  tableAt(n) {
    if (n >= this.events.length) return this.table;
    const kept = this.kept[Math.floor(n / EVERY)];
    const near = this.walking.events <= n && this.walking.events > kept.events;
    const table = near ? this.walking : copyOf(kept);
    for (let at = table.events; at < n; at += 1) apply(table, this.events[at]);
    this.walking = table;
    return table;
  }
}

export const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8];

const SLOW = 0.4;
const HASTE = 6;
/** How long before and after a race or take the tempo is slow, in ms of the round. */
const BEFORE = 250;
const AFTER = 450;
/** A longer wait than this is dead time, apart from its edges. */
const DEAD = 1000;
const EDGE = 350;

/** The next of SPEEDS, or the last. @param {number} speed @param {number} by */
export function nextSpeed(speed, by) {
  const at = SPEEDS.indexOf(speed) + by;
  return SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)];
}

/** @param {Round} round @param {number} event how many have happened @param {number} t */
export function smartFactor(round, event, t) {
  const last = round.events[event - 1];
  const next = round.events[event];
  if (last && t - last.t < AFTER && (isRace(last) || isTake(last))) return SLOW;
  if (next && next.t - t < BEFORE && (isRace(next) || isTake(next))) return SLOW;
  if (!next) return 1;
  const since = t - (last?.t ?? 0);
  const dead = next.t - (last?.t ?? 0) > DEAD;
  return dead && since > EDGE && next.t - t > EDGE ? HASTE : 1;
}
