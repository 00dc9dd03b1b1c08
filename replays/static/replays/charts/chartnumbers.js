// @ts-check
/**
 * A chart's numbers as rows: what a reader of the picture sees, for reading and to take along. No DOM.
 *
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {(string | number | null)[]} Row
 */

import { clock } from "../../games/match/words.js";
import { plainText } from "./chartstyle.js";

/** The heads of a chart's table. @param {string} name @param {string[]} names */
export function headOf(name, names) {
  if (name === "fed") return ["Played by", ...names.map((taker) => `Taken by ${taker}`), "Left"];
  const numbers = name === "slots" ? ["Cards in the stack"] : names;
  return ["Round", "Time", "Line", ...numbers, "What happened"];
}

/**
 * Its rows, from a figure with text for its points.
 * @param {string} name
 * @param {Figure} figure
 * @param {string[]} names
 */
export const rowsOf = (name, figure, names) =>
  name === "fed" ? cells(figure, names) : points(name, figure);

/** @param {Figure} figure @param {string[]} names @returns {Row[]} */
function cells({ data: [trace] }, names) {
  const rows = names.map((name) => /** @type {Row} */ ([name]));
  for (const [at, cards] of trace.text.entries())
    rows[trace.y[at]][trace.x[at] + 1] = Number(cards);
  return rows;
}

/** @param {string} name @param {Figure} figure @returns {Row[]} */
function points(name, { data, layout }) {
  const trace = data.find(({ meta }) => meta?.values);
  if (!trace) return [];
  return trace.customdata.map((/** @type {number} */ seq, /** @type {number} */ at) => {
    const place = layout.meta.rounds.findLast(
      (/** @type {{offset: number}} */ { offset }) => offset <= trace.x[at],
    );
    const values = trace.meta.values[at];
    const numbers = name === "slots" && values.length > 1 ? [null] : values; // the round's end
    const time = clock(trace.x[at] - place.offset);
    return [place.round, time, seq, ...numbers, happened(trace.text[at])];
  });
}

/** The sentence of a point's text, without its time and its numbers. @param {string} text */
const happened = (text) => plainText(text.split("<br>")[0]).replace(/^\S+\s+/, "");
