/**
 * A chart's numbers as rows: what a reader of the picture sees, for reading and to take along. No DOM.
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {(string | number | null)[]} Row
 */

import { clock } from "../../games/match/words.js";
import { plainText } from "./chartstyle.js";

/** The heads of a chart's table. @param {string} name @param {string[]} names @param {boolean} whole */
export function headOf(name, names, whole) {
  const taken = names.map((taker) => `Taken by ${taker}`);
  if (name === "fed") return ["Played by", ...taken, "Left"];
  if (whole && name === "scores") return ["Round", ...names];
  if (whole) return ["Round", ...names.map((owner) => `Put in by ${owner}`), ...taken, "Left"];
  const center = names.map((owner) => `Center: ${owner}`);
  const numbers = name === "ownership" ? ["Cards in the stack", ...center] : names;
  return ["Round", "Time", "Line", ...numbers, "What happened"];
}

/**
 * Its rows, from a figure with text for its points.
 * @param {string} name @param {Figure} figure @param {string[]} names
 */
export const rowsOf = (name, figure, names) =>
  name === "fed" ? cells(figure, names) : points(figure);

/** @param {Figure} figure @param {string[]} names @returns {Row[]} */
function cells({ data: [trace] }, names) {
  const rows = names.map((name) => /** @type {Row} */ ([name]));
  for (const [at, cards] of trace.text.entries())
    rows[trace.y[at]][trace.x[at] + 1] = Number(cards);
  return rows;
}

/** @param {Figure} figure @returns {Row[]} */
function points({ data, layout }) {
  const trace = data.find(({ meta }) => meta?.values);
  if (!trace) return [];
  const { rounds, cells } = layout.meta;
  if (cells)
    return cells.map((/** @type {string} */ cell, /** @type {number} */ at) => [
      cell,
      ...trace.meta.values[at],
    ]);
  return trace.customdata.map((/** @type {number} */ seq, /** @type {number} */ at) => [
    rounds[0].round,
    clock(trace.x[at]),
    seq,
    ...trace.meta.values[at],
    happened(trace.text[at]),
  ]);
}

/** The sentence of a point's text, without its time and its numbers. @param {string} text */
const happened = (text) => plainText(text.split("<br>")[0]).replace(/^\S+\s+/, "");
