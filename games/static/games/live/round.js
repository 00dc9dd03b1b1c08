// @ts-check
/**
 * The round that a live socket tells: its lines folded, and what was last said of them. No DOM.
 *
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @typedef {import("../match/fold.js").Table} Table
 * @typedef {import("../match/words.js").Saying} Saying
 */

import { apply, deal } from "../match/fold.js";
import { metBy, saying } from "../match/words.js";

export class LiveRound {
  /** @param {string[]} names @param {import("../match/perspective.js").View} view */
  constructor(names, view) {
    this.names = names;
    this.view = view;
    this.number = 0;
    /** The score of each seat before this round, or with it once it has ended. @type {number[]} */
    this.totals = names.map(() => 0);
    /** The winners, once the match is over. @type {number[] | null} */
    this.winners = null;
    /** @type {Table | null} */
    this.table = null;
    /** @type {Saying | null} */
    this.said = null;
    /** What the last event met. @type {import("../match/words.js").Context | null} */
    this.met = null;
    /** @type {({seat: number, t: number} | null)[]} */
    this.plays = [];
    /** How the round ended. @type {import("../match/fold.js").End | null} */
    this.end = null;
    /** @type {number | null} */
    this.out = null;
  }

  /**
   * Takes lines of the log as they come; gives the events among them.
   * @param {any[]} lines
   * @returns {RoundEvent[]}
   */
  take(lines) {
    return lines.flatMap((line) => {
      if (line.decks) this.#deal(line);
      else if (line.result) this.winners = line.result;
      else if (line.do) return [this.#event(line)];
      return [];
    });
  }

  /** @param {{round: number, decks: string[]}} line */
  #deal(line) {
    this.number = line.round;
    this.table = deal(line);
    this.plays = this.table.stacks.map(() => null);
    this.said = null;
    this.out = null;
    this.end = null;
  }

  /** @param {RoundEvent} event */
  #event(event) {
    if (!this.table) throw new Error("an event without a deal");
    this.met = metBy(this.table, event, this.plays);
    this.said = saying(event, this.names, this.met, this.view);
    if (event.do === "play") this.plays[event.stack] = { seat: event.seat, t: event.t };
    if (event.do === "out") this.out = event.seat;
    if (event.do === "end") {
      this.end = event;
      this.totals = event.totals;
    }
    apply(this.table, event);
    return event;
  }

  /** What a board shows beside the cards. @param {RoundEvent[]} events the latest ones */
  standing(events) {
    const acting = events.flatMap((event) => ("seat" in event ? [event.seat] : []));
    return { totals: this.totals, winners: this.winners, acting: acting.slice(-1), out: this.out };
  }
}
