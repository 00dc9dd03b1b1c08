/**
 * Where the table's cursor is on a chart, where a click on it leads, and its query. No DOM.
 * @import { Look, Stretch } from "./chartstyle.js"
 */

import { timeMargins } from "./chartstyle.js";

/**
 * The cursor's place on a chart along time, in px from its left. null: its round is not drawn.
 * @param {any} layout of the figure
 * @param {{round: number, t: number}} cursor
 * @param {number} width px
 * @param {Look} look
 */
export function placeOf(layout, { round, t }, width, look) {
  const stretch = layout.meta.rounds.find((/** @type {Stretch} */ known) => known.round === round);
  if (!stretch) return null;
  const share = stretch.duration ? Math.min(t / stretch.duration, 1) : 0;
  const x = stretch.offset + share * stretch.width;
  const [from, to] = layout.xaxis.range;
  const { left, right } = timeMargins(layout, width, look);
  return left + ((x - from) / (to - from)) * (width - left - right);
}

/**
 * The line that a point leads to. Among several, the next one after the cursor, and after the last
 * one the first again. null: none.
 * @param {unknown} lines a point's `customdata`
 * @param {number} seq the cursor's
 * @returns {number | null}
 */
export function lineOf(lines, seq) {
  if (typeof lines === "number") return lines;
  if (!Array.isArray(lines) || !lines.length) return null;
  return lines.find((line) => line > seq) ?? lines[0];
}

/**
 * The cells of a matrix that the last take before the cursor filled.
 * @param {number[][]} cells the lines of each cell's takes
 * @param {number} seq the cursor's
 * @returns {number[]}
 */
export function lastFilled(cells, seq) {
  const takes = cells.map((lines) => lines.findLast((line) => line <= seq) ?? 0);
  const last = Math.max(...takes);
  return last ? takes.flatMap((take, at) => (take === last ? [at] : [])) : [];
}

/**
 * A figure's query string: which rounds, and how much of a log that may still grow, or whose end the
 * viewer hides: of that, nothing beyond what they have seen.
 * @param {{finished: boolean, endHidden: boolean, next: number}} log
 * @param {{round: number, whole: boolean, seen: number}} asked `seen`: the last line seen so far
 */
export function queryOf({ finished, endHidden, next }, { round, whole, seen }) {
  const until = finished && !endHidden ? "" : `&until=${endHidden ? seen : next - 1}`;
  return `?round=${whole ? "all" : round}${until}`;
}
