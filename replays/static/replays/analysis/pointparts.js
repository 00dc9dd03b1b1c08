/**
 * Where each player's points came from: a sentence and a column each, one row for each part.
 *
 * @typedef {import("api").PointsJson} SeatPoints
 */

import { markOf } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { drawn } from "../../games/dom/svg.js";
import { saving } from "./csv.js";

/** @type {[string, string, string][]} */
const PARTS = [
  ["speed", "Speed", "A quicker or slower hand than the others’"],
  ["noticing", "Noticing", "Saw sooner or later what could be taken or played"],
  ["choice", "Choice", "Takes passed up and wilds held, against the others"],
  ["mistakes", "Mistakes", "Fewer or more cards that did not fit than the others"],
  ["cards", "Cards", "The luck of the deal and of the draws"],
  ["line", "Connection", "A quicker or slower connection than the others’"],
  ["rest", "The rest", "What no other part explains"],
];
const NOTE =
  "Above or below the table’s average, in parts that add up; their worth was measured on bots.";

/** @param {number} value */
const whole = (value) => String(Math.round(value)).replace("-", "−");
/** @param {number} value */
const signed = (value) => (Math.round(value) > 0 ? `+${whole(value)}` : whole(value));

/** From the middle to the right or left, the longest bar of all as far as the edge. @param {number} share */
function bar(share) {
  const rect = { x: Math.min(0, share), y: 0, width: Math.abs(share), height: 1 };
  const frame = { viewBox: "-1 0 2 1", preserveAspectRatio: "none", class: "points-bar" };
  const svg = drawn("svg", { ...frame, "aria-hidden": "true" });
  svg.append(
    drawn("rect", { ...rect, class: share < 0 ? "is-lost" : "is-won" }),
    drawn("path", { d: "M0 0V1", class: "points-zero" }),
  );
  return svg;
}

/** @param {string} title @param {string} says @param {Element[]} cells @param {string} kind */
function line(title, says, cells, kind = "") {
  const head = box("th", { scope: "row", title: says }, title);
  return box("tr", kind, head, ...cells);
}

/** Nothing before the first round is over. @param {SeatPoints[]} told @param {string[]} names */
export function pointParts(told, names) {
  if (!told.length) return [];
  const most = Math.max(
    1,
    ...told.flatMap(({ parts }) => PARTS.map(([part]) => Math.abs(parts[part]))),
  );
  const heads = told.map(({ seat }) => {
    return box("th", { scope: "col" }, markOf(seat), box("bdi", "points-name cut", names[seat]));
  });
  const rows = PARTS.map(([part, title, says]) => {
    const cells = told.map(({ parts }) =>
      box("td", "", box("span", "", signed(parts[part])), bar(parts[part] / most)),
    );
    return line(title, says, cells);
  });
  const sums = (/** @type {(points: SeatPoints) => number} */ of) =>
    told.map((points) => box("td", "", whole(of(points))));
  const table = box(
    "table",
    "points-parts",
    box("thead", "", box("tr", "", box("td", ""), ...heads)),
    box(
      "tbody",
      "",
      line(
        "Table’s average",
        "What a player made at this table on average",
        sums((points) => points.parts.table),
      ),
      ...rows,
      line(
        "Points",
        "The total",
        sums((points) => points.score),
        "points-sum",
      ),
    ),
  );
  const title = "Where the points came from";
  const head = ["Player", "Points", "Table’s average", ...PARTS.map(([, name]) => name)];
  const numbers = () =>
    told.map(({ seat, score, parts }) => [
      ...[names[seat], score, parts.table],
      ...PARTS.map(([part]) => parts[part]),
    ]);
  return [
    box("h3", "analysis-title", title),
    scrolling(title, table),
    box("ul", "points-said", ...told.map(({ text }) => box("li", "", text))),
    box("p", "analysis-note", NOTE),
    saving("points", () => ({ head, rows: numbers() })),
  ];
}
