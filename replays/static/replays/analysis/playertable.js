/**
 * The players' figures, as many as are known: a row each, in seat order, the best of a column in
 * bold. The page has the heads, with how their numbers are written and whether more is better.
 * @typedef {import("api").PlayerCells} Row
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { box, redraw, templated } from "../../games/dom/elements.js";
import { shortNames } from "../../games/match/words.js";
import { decimal } from "../../games/words/gettext.js";
import { percent } from "./percent.js";

export class PlayerTable {
  /** @param {string[]} names */
  constructor(names) {
    this.names = names;
    this.short = shortNames(names);
    this.element = templated("player-parts");
    this.body = /** @type {HTMLElement} */ (this.element.querySelector("tbody"));
    /** @type {HTMLElement[]} */
    this.heads = [...this.element.querySelectorAll("th")].slice(1);
  }

  /** @param {Row[]} rows */
  show(rows) {
    for (const head of this.heads) head.hidden = !(rows[0] && String(head.dataset.key) in rows[0]);
    redraw(
      this.body,
      rows.map((row) => this.#row(row, rows)),
    );
  }

  /** @param {Row} row @param {Row[]} rows */
  #row(row, rows) {
    const player = nameOf(this.names[row.seat], this.short[row.seat]);
    const name = box("th", { scope: "row" }, markOf(row.seat), ...player);
    const shown = this.heads.filter(({ hidden }) => !hidden);
    return box("tr", "", name, ...shown.map(({ dataset }) => cell(dataset, row, rows)));
  }
}

/** @param {DOMStringMap} head @param {Row} row @param {Row[]} rows */
function cell({ key, more, share, digits }, row, rows) {
  const figure = (/** @type {Row} */ one) => one[/** @type {keyof Row} */ (key)] ?? null;
  const [value, values] = [figure(row), rows.map(figure)];
  if (value === null) return box("td", "", "–");
  const best = Math[more === undefined ? "min" : "max"](...values.map(Number));
  const stands = !values.includes(null) && values.some((other) => other !== value);
  const words = share === undefined ? decimal(value, Number(digits ?? 0)) : percent(value);
  return box("td", stands && value === best ? "is-best" : "", words);
}
