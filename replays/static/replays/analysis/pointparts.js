/**
 * Where each player's points came from: a bar for each part that can be named, all on one scale, the
 * ones that made most of a difference first. The rest is last, a number only. In seat order, as
 * everywhere on the page.
 *
 * @typedef {import("api").PointsJson} SeatPoints
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { shortNames } from "../../games/match/words.js";
import { decimal, gettext, ngettext, signed } from "../../games/words/gettext.js";

const [SUM, REST] = ["sum", "rest"];
/** @type {[string, string, string][]} */
const PARTS = [
  ["speed", gettext("Speed"), gettext("A quicker or slower hand than the others’")],
  ["noticing", gettext("Noticing"), gettext("Saw sooner or later what could be taken or played")],
  ["choice", gettext("Choice"), gettext("Takes passed up, wilds held, 5s thrown away")],
  [
    "mistakes",
    gettext("Mistakes"),
    gettext("Fewer or more cards that did not fit than the others"),
  ],
  ["cards", gettext("Cards"), gettext("The luck of the deal and of the draws")],
  ["line", gettext("Connection"), gettext("A quicker or slower connection than the others’")],
  [REST, gettext("The rest"), gettext("What the rows above don’t explain")],
];

/**
 * The parts worth a row: what differs at this table, the most first, then the rest.
 * @param {Record<string, number>[]} seats
 */
export function ranked(seats) {
  const most = (/** @type {string} */ part) =>
    Math.max(...seats.map((each) => Math.abs(each[part])));
  const rank = (/** @type {string} */ part) => (part === REST ? -1 : most(part));
  return PARTS.filter(([part]) => part === REST || most(part)).toSorted(
    ([a], [b]) => rank(b) - rank(a),
  );
}

/** @param {number} points @param {((points: number) => number) | null} x null: the number alone */
function cell(points, x) {
  const kind = points > 0 ? "is-won" : points < 0 ? "is-lost" : "is-even";
  if (!x) return box("td", kind, box("span", "", signed(points)));
  const ends = [x(0), x(points)];
  const fall = box("i", { class: "fall", "aria-hidden": "true" });
  fall.style.setProperty("--from", `${Math.min(...ends).toFixed(2)}%`);
  fall.style.setProperty("--wide", `${Math.abs(ends[1] - ends[0]).toFixed(2)}%`);
  fall.style.setProperty("--zero", `${ends[0].toFixed(2)}%`);
  return box("td", kind, fall, box("span", "", signed(points)));
}

/** @param {SeatPoints[]} told none of a match without a whole round @param {string[]} names */
export function pointParts(told, names) {
  const average = told[0].parts.table;
  const seats = told.map(({ score, parts }) => ({ ...parts, [SUM]: score - average }));
  const says = ngettext(
    "The average is {count} point. The rows below add up to this",
    "The average is {count} points. The rows below add up to this",
    average,
  );
  const parts = ranked(seats);
  const rows = [[SUM, gettext("Against the average"), says], ...parts];
  const named = parts.filter(([part]) => part !== REST);
  const values = seats.flatMap((each) => named.map(([part]) => each[part]));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (/** @type {number} */ points) => ((points - low) / Math.max(high - low, 1)) * 100;
  const short = shortNames(names);
  const heads = told.map(({ seat, score, text }) =>
    box(
      "th",
      { class: `deck-${seat}`, scope: "col", title: text },
      box("span", "marked", markOf(seat), ...nameOf(names[seat], short[seat])),
      box("b", "", decimal(score, 0)),
    ),
  );
  const table = box(
    "table",
    "point-parts",
    box("thead", "", box("tr", "", box("th", { scope: "row" }, gettext("Final points")), ...heads)),
    box(
      "tbody",
      "",
      ...rows.map(([part, title, says]) =>
        box(
          "tr",
          `is-${part}`,
          box("th", { scope: "row" }, title, box("span", "soft", says)),
          ...seats.map((each) => cell(each[part], [SUM, REST].includes(part) ? null : x)),
        ),
      ),
    ),
  );
  return [
    scrolling(gettext("Where the points came from"), table),
    box("p", "analysis-note", gettext("Estimates, measured on matches between bots.")),
  ];
}
