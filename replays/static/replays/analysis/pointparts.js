/**
 * Where each player's points came from: from the table's average to their own, part by part, as one
 * waterfall a player, all on one scale. The winner's is first.
 *
 * @typedef {import("api").PointsJson} SeatPoints
 */

import { marked } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { signed } from "../../games/match/words.js";
import { decimal, gettext } from "../../games/words/gettext.js";
import { saving } from "./csv.js";

/** @type {[string, string, string][]} */
const PARTS = [
  ["speed", gettext("Speed"), gettext("A quicker or slower hand than the others’")],
  ["noticing", gettext("Noticing"), gettext("Saw sooner or later what could be taken or played")],
  ["choice", gettext("Choice"), gettext("Takes passed up and wilds held, against the others")],
  [
    "mistakes",
    gettext("Mistakes"),
    gettext("Fewer or more cards that did not fit than the others"),
  ],
  ["cards", gettext("Cards"), gettext("The luck of the deal and of the draws")],
  ["line", gettext("Connection"), gettext("A quicker or slower connection than the others’")],
  ["rest", gettext("The rest"), gettext("What no other part explains")],
];
const NOTE = gettext("Estimates: what each part is worth was measured on bots.");

/**
 * A player's points after each part, the table's average first.
 * @param {SeatPoints["parts"]} parts @returns {number[]}
 */
export function course(parts) {
  const stands = [parts.table];
  for (const [part] of PARTS) stands.push(stands[stands.length - 1] + parts[part]);
  return stands;
}

/**
 * A row of the waterfall: its bar goes from one place to another, in percent of the scale.
 * @param {{title: string, says: string, words: string, from: number, to: number, kind: string}} row
 */
function line({ title, says, words, from, to, kind }) {
  const falls = box("td", { class: "falls", "aria-hidden": "true" }, box("i", "fall"));
  falls.style.setProperty("--from", `${Math.min(from, to).toFixed(2)}%`);
  falls.style.setProperty("--wide", `${Math.abs(to - from).toFixed(2)}%`);
  falls.style.setProperty("--to", `${to.toFixed(2)}%`);
  const head = box("th", { scope: "row", title: says }, title);
  return box("tr", kind, head, falls, box("td", "", words));
}

/** @param {SeatPoints} points @param {string} name @param {(points: number) => number} x */
function waterfall({ seat, score, parts, text }, name, x) {
  const stands = course(parts);
  const rows = PARTS.map(([part, title, says], at) => {
    const change = Math.round(parts[part]);
    const kind = change > 0 ? "is-won" : change < 0 ? "is-lost" : "is-even";
    const [from, to] = [x(stands[at]), x(stands[at + 1])];
    return line({ title, says, words: signed(change), from, to, kind });
  });
  /** @param {string} title @param {string} says @param {number} value */
  const end = (title, says, value) =>
    line({ title, says, words: decimal(value, 0), from: x(value), to: x(value), kind: "is-end" });
  const caption = box("caption", "", marked(seat, name), box("b", "", decimal(score, 0)));
  return box(
    "li",
    `waterfall deck-${seat}`,
    box(
      "table",
      { title: text },
      caption,
      box(
        "tbody",
        "",
        end(
          gettext("Average"),
          gettext("What a player made at this table on average"),
          parts.table,
        ),
        ...rows,
        end(gettext("Points"), gettext("The total"), score),
      ),
    ),
  );
}

/** @param {SeatPoints[]} told none of a match without a whole round @param {string[]} names */
export function pointParts(told, names) {
  const stands = told.flatMap(({ parts }) => course(parts));
  const [low, high] = [Math.min(...stands), Math.max(...stands)];
  const x = (/** @type {number} */ points) => ((points - low) / Math.max(high - low, 1)) * 100;
  const head = [
    gettext("Player"),
    gettext("Points"),
    gettext("Table’s average"),
    ...PARTS.map(([, name]) => name),
  ];
  const numbers = () =>
    told.map(({ seat, score, parts }) => [
      ...[names[seat], score, parts.table],
      ...PARTS.map(([part]) => parts[part]),
    ]);
  const best = told.toSorted((a, b) => b.score - a.score);
  const list = box("ul", "waterfalls", ...best.map((each) => waterfall(each, names[each.seat], x)));
  return [
    scrolling(gettext("Where the points came from"), list),
    box("p", "analysis-note", NOTE),
    saving("points", () => ({ head, rows: numbers() })),
  ];
}
