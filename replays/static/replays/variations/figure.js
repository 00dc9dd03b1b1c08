/**
 * What the pictures and tables of a comparison share: one time axis for all pictures, and headings.
 * @typedef {import("./comparing.js").Comparison} Comparison
 */

import { box } from "../../games/dom/elements.js";
import { drawn } from "../../games/dom/svg.js";

const WIDTH = 320;
/** Left and right of the time axis, in px. The left has the lanes' names. */
const LEFT = 14;
const RIGHT = 8;

/** An empty picture. The tables say the same. @param {number} height */
export const picture = (height) =>
  drawn("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`,
    class: "comparison-picture",
    "aria-hidden": "true",
  });

/** From ms in the round to px. @param {Comparison} comparison @returns {(t: number) => number} */
export const axisOf =
  ({ from, to }) =>
  (t) =>
    LEFT + ((t - from) / Math.max(to - from, 1)) * (WIDTH - LEFT - RIGHT);

/** @param {string} scope @param {(Node | string)[]} inside */
export const heading = (scope, ...inside) => box("th", { scope }, ...inside);

/**
 * @param {string} kind
 * @param {string} words its caption
 * @param {HTMLElement[]} head @param {HTMLElement[]} rows
 */
export const table = (kind, words, head, rows) =>
  box(
    "table",
    `comparison-table ${kind}`,
    box("caption", "what-if-note", words),
    box("thead", "", box("tr", "", ...head)),
    box("tbody", "", ...rows),
  );
