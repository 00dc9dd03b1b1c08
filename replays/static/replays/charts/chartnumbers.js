/**
 * A chart's numbers as rows: what a reader of the picture sees, for reading and to take along. No DOM.
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {(string | number | null)[]} Row
 */

import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { plainText } from "./chartstyle.js";

/** The heads of a chart's table. @param {string} name @param {string[]} names @param {boolean} whole */
export function headOf(name, names, whole) {
  if (name === "fed")
    return [
      gettext("Played by"),
      ...names.map((taker) => gettext("Taken by {name}", { name: taker })),
      gettext("Left"),
    ];
  if (whole && name === "scores") return [gettext("Round"), ...names];
  if (whole) return [gettext("Round"), ...names.flatMap(sumsOf), gettext("Left")];
  if (name === "ownership")
    return [...STACK, ...names.map((owner) => gettext("{name}’s cards", { name: owner }))];
  return [gettext("Round"), gettext("Time"), gettext("Line"), ...names, gettext("What happened")];
}

const STACK = [
  gettext("Stack"),
  gettext("Started"),
  gettext("Taken"),
  gettext("Line"),
  gettext("Taken by"),
  gettext("Cards"),
];

/** @param {string} name */
const sumsOf = (name) => [
  gettext("{name} took", { name }),
  gettext("{name}: from others", { name }),
  gettext("{name}: lost", { name }),
  gettext("{name}: net", { name }),
];

/**
 * Its rows, from a figure with text for its points.
 * @param {string} name @param {Figure} figure @param {string[]} names
 */
export function rowsOf(name, figure, names) {
  if (name === "fed") return cells(figure, names);
  if (name !== "ownership") return points(figure);
  return figure.layout.meta.cells ? sums(figure, names) : stacks(figure, names);
}

/** A row for each stack. @param {Figure} figure @param {string[]} names @returns {Row[]} */
const stacks = ({ layout }, names) =>
  layout.meta.stacks.map((/** @type {any[]} */ row) => {
    const [slot, started, taken, line, taker, ...cards] = row;
    const end = taken === null ? null : clock(taken);
    return [slot + 1, clock(started), end, line, taker === null ? null : names[taker], ...cards];
  });

/** A row for each round: the points go player by player. @param {Figure} figure @param {string[]} names @returns {Row[]} */
function sums({ data, layout }, names) {
  const trace = data.find(({ meta }) => meta?.values);
  const { cells: rounds } = layout.meta;
  return rounds.map((/** @type {string} */ round, /** @type {number} */ at) => {
    const values = names.map((_, seat) => trace.meta.values[seat * rounds.length + at]);
    const each = values.flatMap(([, taken, others, lost]) => [taken, others, lost, others - lost]);
    return [round, ...each, values[0].at(-1)];
  });
}

/** @param {Figure} figure @param {string[]} names @returns {Row[]} */
const cells = ({ data: [trace] }, names) =>
  names.map((name, seat) => [name, ...trace.meta.fed[seat]]);

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
