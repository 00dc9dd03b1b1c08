/**
 * The rows of the event list: its events, and the cursor's row. In a match that is still being
 * played the newest comes first: people look for that. No DOM.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { gettext } from "../../games/words/gettext.js";

/** @type {Record<string, {label: string, of: (round: Round) => number[]}>} */
export const FILTERS = {
  moments: { label: gettext("Takes and races"), of: (round) => both(takes(round), races(round)) },
  takes: { label: gettext("Takes"), of: (round) => takes(round) },
  races: { label: gettext("Races"), of: (round) => races(round) },
  all: {
    label: gettext("All"),
    of: (round) => Array.from({ length: round.length + 1 }, (_, at) => at),
  },
};

/** A round's start and end are always included. @param {Round} round @param {number[]} numbers */
const framed = (round, numbers) => [0, ...numbers, ...(round.end ? [round.events.length] : [])];

/** @param {Round} round */
const takes = (round) => framed(round, round.timeline?.takes ?? []);

/** @param {Round} round */
const races = (round) => framed(round, round.timeline?.races ?? []);

/** @param {number[]} some @param {number[]} others */
const both = (some, others) => [...new Set([...some, ...others])].sort((a, b) => a - b);

export class EventRows {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.filter = "moments";
    /** For as long as the page is open, whether or not the match ends meanwhile. */
    this.newestFirst = !player.log.finished && !player.log.endHidden;
    /**
     * The numbers shown for each round, until it grows.
     * @type {Map<Round, {filter: string, length: number, numbers: number[]}>}
     */
    this.kept = new Map();
    /** The furthest place that the viewer has been at. */
    this.reached = { round: 1, event: 0 };
  }

  /** The events shown for a round. @param {Round} round */
  numbers(round) {
    const { filter } = this;
    const known = this.kept.get(round);
    const length = this.#until(round);
    const still = known?.filter === filter && known.length === length && known.numbers.length > 1;
    if (still) return known.numbers;
    const numbers = FILTERS[filter].of(round).filter((number) => number <= length);
    this.kept.set(round, { filter, length, numbers });
    return numbers;
  }

  /** None that hidden results would give away. @param {Round} round */
  #until(round) {
    const { reached } = this;
    if (!this.player.log.endHidden || round.number < reached.round) return round.length;
    return round.number === reached.round ? reached.event : -1;
  }

  /** The cursor has moved. */
  moved() {
    const { round, event } = this.player.cursor;
    const { reached } = this;
    if (round > reached.round || (round === reached.round && event > reached.event))
      this.reached = { round, event };
  }

  /** The first row of each round: its deal. */
  #starts() {
    let from = 0;
    return this.player.log.rounds.map((round) => {
      const start = from;
      from += this.numbers(round).length;
      return start;
    });
  }

  /** The row of an entry with so many before it. And the other way round. @param {number} at */
  #turned(at) {
    return this.newestFirst ? this.length - 1 - at : at;
  }

  /** @param {number} row */
  at(row) {
    const before = this.#turned(row);
    const starts = this.#starts();
    const at = starts.findLastIndex((start) => start <= before);
    const round = this.player.log.rounds[at];
    return { round, event: this.numbers(round)[before - starts[at]] };
  }

  /** The last row that has happened. */
  get current() {
    const { round, event } = this.player.cursor;
    const shown = this.player.round ? this.numbers(this.player.round) : [0];
    const at = shown.findLastIndex((number) => number <= event);
    return this.#turned((this.#starts()[round - 1] ?? 0) + Math.max(at, 0));
  }

  get length() {
    return this.player.log.rounds.reduce((sum, round) => sum + this.numbers(round).length, 0);
  }
}
