// @ts-check
/**
 * Indexes a log: the table after any event, what each event met, and where the marks are. No DOM.
 *
 * @typedef {import("./log.js").Log} Log
 * @typedef {import("./log.js").Round} Round
 * @typedef {import("./words.js").Context} Context
 * @typedef {{contexts: Context[], takes: number[], races: number[], folded: number}} RoundIndex
 *   `takes` and `races` (ties and late tries): numbers of events, counted from 1
 */

import { apply, deal, Table } from "./fold.js";
import { isTake, metBy } from "./words.js";

export { isTake };

/** @typedef {import("./fold.js").RoundEvent} RoundEvent */

/** @param {RoundEvent} event */
export const isRace = (event) => event.do === "tie" || event.do === "late";

export class Timeline {
  /** @param {Log} log */
  constructor(log) {
    this.log = log;
    /** @type {Map<Round, RoundIndex>} */
    this.indexed = new Map();
    /** @type {{round: Round, table: Table} | null} */
    this.held = null;
  }

  /**
   * The table after the first n events; it goes on changing with the next call.
   * @param {Round} round
   * @param {number} events
   */
  tableAt(round, events) {
    const known =
      this.held?.round === round && this.held.table.events <= events ? this.held.table : null;
    const table = known ?? deal({ round: round.number, decks: round.decks ?? [] });
    for (let at = table.events; at < events; at += 1) apply(table, round.events[at]);
    this.held = { round, table };
    return table;
  }

  /**
   * What a round's events met; goes on from where it stopped when the round has grown.
   * @param {Round} round
   */
  index(round) {
    const known = this.indexed.get(round) ?? { contexts: [], takes: [], races: [], folded: 0 };
    this.indexed.set(round, known);
    if (round.decks && known.folded < round.events.length) extend(known, round);
    return known;
  }
}

/** @param {RoundIndex} index @param {Round} round */
function extend(index, round) {
  const table = deal({ round: round.number, decks: round.decks ?? [] });
  const plays = table.stacks.map(() => /** @type {{seat: number, t: number} | null} */ (null));
  round.events.forEach((event, at) => {
    if (at >= index.folded) note(index, table, event, at + 1, plays);
    if (event.do === "play") plays[event.stack] = { seat: event.seat, t: event.t };
    apply(table, event);
  });
  index.folded = round.events.length;
}

/**
 * @param {RoundIndex} index
 * @param {Table} table
 * @param {RoundEvent} event
 * @param {number} number
 * @param {({seat: number, t: number} | null)[]} plays the last one on each slot
 */
function note(index, table, event, number, plays) {
  index.contexts.push(metBy(table, event, plays));
  if (isTake(event)) index.takes.push(number);
  if (isRace(event)) index.races.push(number);
}
