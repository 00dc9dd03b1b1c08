/**
 * Where each player's points came from. First the cards that make the score, which is exact. Behind
 * a summary the estimated causes against the table's average, the largest first, with what they
 * don't explain last and pale. In seat order, as everywhere on the page.
 *
 * @typedef {import("api").PointsJson} SeatPoints
 * @typedef {[string, string, string]} Row its part, title and explanation
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { scrolling } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { shortNames } from "../../games/match/words.js";
import { decimal, gettext, ngettext, signed } from "../../games/words/gettext.js";

const [SUM, REST] = ["sum", "rest"];
/** @type {Row[]} */
const CARDS = [
  ["taken", gettext("Cards taken"), gettext("A point each")],
  ["left", gettext("Cards left"), gettext("A point less each")],
  ["floor", gettext("Rounds below 0"), gettext("They count 0")],
];
/** @type {Row[]} */
const PARTS = [
  ["speed", gettext("Speed"), gettext("A quicker or slower hand")],
  ["noticing", gettext("Noticing"), gettext("Saw plays and takes sooner or later")],
  ["choice", gettext("Choice"), gettext("Takes passed up, wilds held, 5s thrown away")],
  ["mistakes", gettext("Mistakes"), gettext("Fewer or more cards that did not fit")],
  ["cards", gettext("Cards"), gettext("The luck of the deal and of the draws")],
  ["line", gettext("Connection"), gettext("A quicker or slower connection")],
  [REST, gettext("Not explained"), gettext("Style and chance together")],
];

/**
 * The parts worth a row: what differs at this table, the most first, then the rest.
 * @param {Record<string, number>[]} seats
 */
export function ranked(seats) {
  const rank = (/** @type {string} */ part) => (part === REST ? -1 : most(seats, part));
  return PARTS.filter(([part]) => part === REST || most(seats, part)).toSorted(
    ([a], [b]) => rank(b) - rank(a),
  );
}

/** @param {Record<string, number>[]} seats @param {string} part */
const most = (seats, part) => Math.max(...seats.map((each) => Math.abs(each[part])));

/** @param {number} points @param {(points: number) => number} x @param {string} below */
function cell(points, x, below) {
  const kind = points > 0 ? "is-won" : points < 0 ? "is-lost" : "is-even";
  const ends = [x(0), x(points)];
  const fall = box("i", { class: "fall", "aria-hidden": "true" });
  fall.style.setProperty("--from", `${Math.min(...ends).toFixed(2)}%`);
  fall.style.setProperty("--wide", `${Math.abs(ends[1] - ends[0]).toFixed(2)}%`);
  fall.style.setProperty("--zero", `${ends[0].toFixed(2)}%`);
  const words = below ? [box("small", "soft", below)] : [];
  return box("td", kind, fall, box("span", "", signed(points)), ...words);
}

/**
 * All bars of a table have one scale.
 * @param {HTMLElement} head @param {Row[]} rows @param {Record<string, number>[]} seats
 * @param {(part: string, seat: number) => string} [below] words under a number
 */
function barTable(head, rows, seats, below = () => "") {
  const values = seats.flatMap((each) => rows.map(([part]) => each[part]));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (/** @type {number} */ points) => ((points - low) / Math.max(high - low, 1)) * 100;
  const row = (/** @type {Row} */ [part, title, says]) =>
    box(
      "tr",
      `is-${part}`,
      box("th", { scope: "row" }, title, box("span", "soft", says)),
      ...seats.map((each, seat) => cell(each[part], x, below(part, seat))),
    );
  return box("table", "point-parts", box("thead", "", head), box("tbody", "", ...rows.map(row)));
}

/** @param {SeatPoints[]} told none of a match without a whole round @param {string[]} names */
export function pointParts(told, names) {
  const average = told[0].parts.table;
  const seats = told.map(({ score, parts }) => ({ ...parts, [SUM]: score - average }));
  const short = shortNames(names);
  /** @param {string} title @param {(points: SeatPoints) => string} value */
  const head = (title, value) =>
    box(
      "tr",
      "",
      box("th", { scope: "row" }, title),
      ...told.map((points) =>
        box(
          "th",
          { class: `deck-${points.seat}`, scope: "col" },
          box(
            "span",
            "marked",
            markOf(points.seat),
            ...nameOf(names[points.seat], short[points.seat]),
          ),
          box("b", "", value(points)),
        ),
      ),
    );
  const cards = told.map((each) => each.cards);
  const takes = (/** @type {string} */ part, /** @type {number} */ seat) =>
    part === "taken" ? ngettext("{count} take", "{count} takes", told[seat].takes) : "";
  const made = CARDS.filter(([part]) => part !== "floor" || most(cards, part));
  const against = ngettext(
    "Against the average of {count} point",
    "Against the average of {count} points",
    average,
  );
  return [
    scrolling(
      gettext("Where the points came from"),
      barTable(
        head(gettext("Final points"), ({ score }) => decimal(score, 0)),
        made,
        cards,
        takes,
      ),
    ),
    box(
      "details",
      "",
      box("summary", "", gettext("What made the difference")),
      scrolling(
        gettext("What made the difference"),
        barTable(
          head(against, ({ seat }) => signed(seats[seat][SUM])),
          ranked(seats),
          seats,
        ),
      ),
      box("p", "analysis-note", gettext("Estimates, measured on matches between bots.")),
    ),
  ];
}
