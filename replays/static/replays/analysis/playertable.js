/**
 * The players' figures, as many as are known: a row each, in seat order, the best of a column in
 * bold.
 * @typedef {import("api").PlayerCells} Row
 * @typedef {Exclude<keyof Row, "seat">} Column
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box, redraw } from "../../games/dom/elements.js";
import { shortNames } from "../../games/match/words.js";
import { decimal, gettext } from "../../games/words/gettext.js";
import { percent } from "./percent.js";

/** @param {number} value */
const whole = (value) => decimal(value, 0);
/** @param {number} value */
const tenth = (value) => decimal(value, 1);
/** @type {[Column, string, string, (value: number) => string][]} name, heading, what it means */
const COLUMNS = [
  ["points", gettext("Points"), gettext("Total points"), whole],
  ["takes", gettext("Takes"), gettext("Stacks taken"), whole],
  [
    "cards_a_take",
    gettext("Cards per take"),
    gettext("Average number of cards in a taken stack"),
    tenth,
  ],
  [
    "missed_moments",
    gettext("Missed takes"),
    gettext("Takes possible until someone else’s play"),
    whole,
  ],
  ["late", gettext("Late"), gettext("Cards played too late"), whole],
  ["ties", gettext("Ties"), gettext("Cards lost to ties"), whole],
  ["misses", gettext("Mistakes"), gettext("Cards played where they did not fit"), whole],
  [
    "reaction_ms",
    gettext("Reaction time, ms"),
    gettext("Median time from when a card fits until it is played"),
    whole,
  ],
  ["plays_a_minute", gettext("Plays per minute"), gettext("Cards played per minute"), tenth],
  [
    "unplayed_share",
    gettext("Time with a playable card"),
    gettext("Share of the time with a playable card in hand"),
    percent,
  ],
];

/** The columns of which more is better. */
const MORE = ["points", "takes", "cards_a_take", "plays_a_minute"];

export class PlayerTable {
  /** @param {string[]} names */
  constructor(names) {
    this.names = names;
    this.short = shortNames(names);
    /** @type {Row[]} */
    this.rows = [];
    /** @type {typeof COLUMNS} */
    this.columns = [];
    this.head = box("thead", "");
    this.body = box("tbody", "");
    const table = box("table", "player-figures dense-table", this.head, this.body);
    this.element = scrolling(gettext("Player statistics"), table);
  }

  /** @param {Row[]} rows */
  show(rows) {
    this.rows = rows;
    this.columns = COLUMNS.filter(([name]) => rows[0] && name in rows[0]);
    const heads = this.columns.map(([, heading, title]) =>
      box("th", { scope: "col", title }, heading),
    );
    redraw(this.head, [box("tr", "", box("th", "", gettext("Player")), ...heads)]);
    const lines = rows.map((row) => this.#row(row));
    redraw(this.body, lines);
  }

  /** @param {Row} row */
  #row(row) {
    const player = nameOf(this.names[row.seat], this.short[row.seat]);
    const name = box("th", { scope: "row" }, markOf(row.seat), ...player);
    const cells = this.columns.map(([key, , , format]) => {
      const value = row[key] ?? null;
      const words = value === null ? "–" : format(value);
      return box("td", this.#isBest(key, value) ? "is-best" : "", words);
    });
    return box("tr", "", name, ...cells);
  }

  /** @param {Column} key @param {number | null} value */
  #isBest(key, value) {
    const values = this.rows.map((row) => row[key] ?? null);
    if (values.includes(null) || values.every((other) => other === value)) return false;
    return value === Math[MORE.includes(key) ? "max" : "min"](...values.map(Number));
  }
}
