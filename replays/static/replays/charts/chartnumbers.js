/**
 * A chart's numbers as a table: what a reader of the picture sees.
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {(string | number | null)[]} Row
 */

import { scrolling } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { decimal, gettext, ngettext } from "../../games/words/gettext.js";
import { plainText } from "./chartstyle.js";

/** The most rows shown. A long match has thousands. */
const MOST = 500;

/**
 * The numbers of a chart: closed at first, made when opened.
 * @param {string[]} head @param {() => Row[]} rows @param {string} title
 */
export function numbers(head, rows, title) {
  const table = box("table", "analysis-table");
  const rest = box("p", "analysis-note");
  const details = /** @type {HTMLDetailsElement} */ (
    box("details", "analysis-numbers", box("summary", "", title), scrolling(title, table), rest)
  );
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    const all = rows();
    const left = all.length - MOST;
    rest.textContent = left > 0 ? ngettext("{count} more row.", "{count} more rows.", left) : "";
    table.replaceChildren(...filled(head, all.slice(0, MOST)));
  });
  return details;
}

/** @param {string[]} head @param {Row[]} rows */
function filled(head, rows) {
  const titles = head.map((title) => box("th", { scope: "col" }, title));
  const lines = rows.map((row) =>
    box("tr", "", ...row.map((value) => box("td", "", shown(value)))),
  );
  return [box("thead", "", box("tr", "", ...titles)), box("tbody", "", ...lines)];
}

/** A value as the page writes it. @param {Row[number]} value */
function shown(value) {
  if (value === null) return "–";
  return typeof value === "number" ? decimal(value) : value;
}

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
