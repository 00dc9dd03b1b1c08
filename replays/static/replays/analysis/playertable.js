/**
 * The players' figures, as many as are known: a row each, in seat order, the best of a column in
 * bold. A cell leads to the moments that it counts.
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./analysis.js").Cell} Cell
 * @typedef {import("api").PlayerCells} Row
 * @typedef {Exclude<keyof Row, "seat">} Column
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box, button, redraw } from "../../games/dom/elements.js";
import { shortNames } from "../../games/match/words.js";
import { decimal, gettext } from "../../games/words/gettext.js";
import { percent } from "./percent.js";

/** @type {import("./analysis.js").Cell} */
const EMPTY = { value: null, seqs: [] };
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

/** The columns that count lost races, and their kind. @type {Record<string, string>} */
const RACES = { late: "late", ties: "tie" };

/** @param {Page} page @param {Cell} cell @param {string} words @param {() => void} [list] */
function cellOf(page, cell, words, list) {
  if (!(list ? cell.value : cell.seqs?.length)) return box("td", "", words);
  let next = 0;
  const go = () => {
    page.call("mainline");
    page.player.pause();
    page.player.goTo({ seq: cell.seqs[next] });
    next = (next + 1) % cell.seqs.length;
  };
  const title = list ? gettext("Show the list") : gettext("Go there. Click again for the next one");
  return box("td", "", button({ class: "figure", title }, words, list ?? go));
}

export class PlayerTable {
  /** @param {Page} page @param {import("./races.js").Show} show */
  constructor(page, show) {
    this.page = page;
    this.names = page.names;
    this.short = shortNames(page.names);
    this.lists = show;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {typeof COLUMNS} */
    this.columns = [];
    this.head = box("thead", "");
    this.body = box("tbody", "");
    const table = box("table", "player-figures", this.head, this.body);
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
      const cell = row[key] ?? EMPTY;
      const { value } = cell;
      const words = value === null ? "–" : format(value);
      const td = cellOf(this.page, cell, words, this.#listOf(key, row.seat));
      td.classList.toggle("is-best", this.#isBest(key, value));
      return td;
    });
    return box("tr", "", name, ...cells);
  }

  /** @param {Column} key @param {number | null} value */
  #isBest(key, value) {
    const values = this.rows.map((row) => row[key]?.value ?? null);
    if (values.includes(null) || values.every((other) => other === value)) return false;
    return value === Math[MORE.includes(key) ? "max" : "min"](...values.map(Number));
  }

  /** What shows a list of all that a cell counts, where there is one. @param {string} key @param {number} seat */
  #listOf(key, seat) {
    const { lost, missed } = this.lists;
    if (key === "missed_moments" && missed) return () => missed(seat);
    const kind = RACES[key];
    return kind && lost ? () => lost(seat, kind) : undefined;
  }
}
