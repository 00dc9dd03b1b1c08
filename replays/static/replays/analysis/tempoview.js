/**
 * Tempo: how busy each player was, and how fast each reacted to what, in a typical round.
 * @typedef {import("api").SeatTempoJson} SeatTempo
 * @typedef {import("api").RoundTempoJson} RoundTempo
 */

import { markOf } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { decimal, gettext } from "../../games/words/gettext.js";

const TITLE = gettext("Tempo in a typical round");

/** @param {string} trigger @returns {(seat: SeatTempo) => number | null} */
const reaction = (trigger) => (seat) => seat.reactions[trigger]?.median_ms ?? null;

/** The heading, what it means, and where it is read. @type {[string, string, (seat: SeatTempo) => number | null][]} */
const FIGURES = [
  [
    gettext("Actions per minute"),
    gettext("Plays, draws, discards, late tries, ties and mistakes"),
    (seat) => seat.actions_a_minute,
  ],
  [
    gettext("To others’ plays, ms"),
    gettext("From another player’s play that made a card fit until it was played"),
    reaction("another's play"),
  ],
  [
    gettext("To own draw, ms"),
    gettext("From drawing a card that fitted until it was played"),
    reaction("own draw"),
  ],
  [
    gettext("To own play, ms"),
    gettext("From the own play that made a card fit until it was played"),
    reaction("own play"),
  ],
  [
    gettext("To the deal, ms"),
    gettext("From the deal, for a card that fitted at once"),
    reaction("deal"),
  ],
  [
    gettext("Discards per draw"),
    gettext("High means a hand that kept changing"),
    (seat) => seat.churn,
  ],
];

/** Null of no values. @param {(number | null)[]} values */
export function median(values) {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (!sorted.length) return null;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export class TempoView {
  /** @param {RoundTempo[]} rounds @param {string[]} names */
  constructor(rounds, names) {
    this.rounds = rounds;
    this.names = names;
    const heads = FIGURES.map(([title, says]) => box("th", { scope: "col", title: says }, title));
    const rows = names.map((_, seat) => this.#row(seat));
    const table = box(
      "table",
      "player-figures",
      box("thead", "", box("tr", "", box("th", "", gettext("Player")), ...heads)),
      box("tbody", "", ...rows),
    );
    this.element = box("div", "tempo", box("h3", "analysis-title", TITLE), scrolling(TITLE, table));
  }

  /** @param {number} seat */
  #row(seat) {
    const cells = FIGURES.map(([, , of]) => {
      const value = median(this.rounds.map(({ seats }) => of(seats[seat])));
      const digits = value !== null && value < 10 ? 2 : 0;
      return box("td", "", value === null ? "–" : decimal(value, digits));
    });
    const name = box("th", { scope: "row" }, markOf(seat), box("bdi", "", this.names[seat]));
    return box("tr", "", name, ...cells);
  }
}
