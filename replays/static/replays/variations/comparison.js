/**
 * A variation compared with the match, folded: in charts of the scores and the stacks on one time
 * axis, and in tables of the figures. The sentence about it is the bar's.
 * @import { Comparison, Side } from "./comparing.js"
 * @typedef {"score" | "taken" | "left"} Measure
 */

import { markOf } from "../../games/board/cards.js";
import { picker } from "../../games/dom/controls.js";
import { box, drawn } from "../../games/dom/elements.js";
import { clock, signed } from "../../games/match/words.js";
import { decimal, gettext } from "../../games/words/gettext.js";
import { bothAt } from "./comparing.js";
import { axisOf, heading, picture, stacksPicture, stacksTable, table } from "./stacks.js";

const HEIGHT = 110;
const EDGE = 6;

/** What the picture can show, by the label of the choice. @type {[string, Measure][]} */
const MEASURES = [
  [gettext("Points of this round"), "score"],
  [gettext("Cards taken"), "taken"],
  [gettext("Cards left to play"), "left"],
];
/** How it was last looked at, the next variation is shown too. */
let chosen = 0;
let unfolded = false;

/** @param {Comparison} comparison @param {string[]} names */
export function comparisonOf(comparison, names) {
  const { from, to, instead } = comparison;
  const t = instead.standings.at(-1)?.t ?? from;
  const key = box(
    "p",
    "what-if-note",
    gettext("From {from} to {to}. Dashed, and the upper lane of each stack: what happened.", {
      from: clock(from),
      to: clock(to),
    }),
  );
  const words = MEASURES.map(([measure]) => /** @type {const} */ ([measure, measure]));
  const select = picker({ "aria-label": gettext("What the picture shows") }, words);
  select.selectedIndex = chosen;
  const chart = box("div", "", courses(comparison, MEASURES[chosen][1]));
  select.addEventListener("change", () => {
    chosen = select.selectedIndex;
    chart.replaceChildren(courses(comparison, MEASURES[chosen][1]));
  });
  const pictures = [select, chart, stacksPicture(comparison), key];
  const tables = [
    figures(comparison, t, names),
    takings(comparison, t, names),
    stacksTable(comparison, t, names),
  ];
  const title = box("summary", "", gettext("Compared with what happened"));
  const all = box("details", "comparison", title, ...pictures, ...tables);
  all.open = unfolded;
  title.addEventListener("click", () => {
    unfolded = !all.open; // it may be drawn anew before it says so itself
  });
  return all;
}

/** @param {Comparison} comparison @param {Measure} measure */
function courses(comparison, measure) {
  const { happened, instead } = comparison;
  const all = [happened, instead].flatMap(({ standings }) => standings);
  const values = all.flatMap((standing) => standing[measure]);
  const [low, high] = [Math.min(...values, 0), Math.max(...values, Math.min(...values) + 1)];
  const x = axisOf(comparison);
  /** @param {number} value */
  const y = (value) =>
    HEIGHT - EDGE - ((value - low) / Math.max(high - low, 1)) * (HEIGHT - 2 * EDGE);
  const svg = picture(HEIGHT);
  const { from, to } = comparison;
  svg.append(drawn("path", { d: `M${x(from)} ${y(0)}H${x(to)}`, class: "comparison-zero" }));
  for (const seat of instead.standings[0]?.score.keys() ?? []) {
    /** @param {Side} side @param {string} kind */
    const draw = (side, kind) =>
      svg.append(drawn("path", { d: steps(side, measure, seat, x, y), class: kind }));
    draw(happened, `comparison-line deck-${seat} is-happened`);
    draw(instead, `comparison-line deck-${seat}`);
  }
  return svg;
}

/**
 * @param {Side} side @param {Measure} measure @param {number} seat
 * @param {(t: number) => number} x @param {(score: number) => number} y
 */
function steps({ standings }, measure, seat, x, y) {
  return standings
    .map((standing, at) => {
      const [across, down] = [x(standing.t).toFixed(1), y(standing[measure][seat]).toFixed(1)];
      return at ? `H${across}V${down}` : `M${across} ${down}`;
    })
    .join("");
}

/** @param {Comparison} comparison @param {number} t where the variation ends @param {string[]} names */
function figures(comparison, t, names) {
  const { was, is } = bothAt(comparison, t);
  const head = [
    gettext("Player"),
    gettext("Points"),
    gettext("Taken"),
    gettext("Left to play"),
  ].map((words) => heading("col", words));
  const rows = names.map((name, seat) => {
    const who = heading("row", markOf(seat), ` ${name}`);
    return box(
      "tr",
      "",
      who,
      cell(is.score[seat], was.score[seat]),
      cell(is.taken[seat], was.taken[seat]),
      cell(is.left[seat], was.left[seat]),
    );
  });
  const words = gettext("At {time}; in brackets, the difference from what happened.", {
    time: clock(t),
  });
  return table("", words, head, rows);
}

/** Whose cards each seat has taken. @param {Comparison} comparison @param {number} t where the variation ends @param {string[]} names */
function takings(comparison, t, names) {
  const { was, is } = bothAt(comparison, t);
  const decks = names.map((name, deck) => {
    const head = heading(
      "col",
      markOf(deck),
      box("span", "spoken", ` ${gettext("cards of {name}", { name })}`),
    );
    head.title = gettext("Cards of {name}", { name });
    return head;
  });
  const rows = names.map((name, seat) => {
    const cells = names.map((_, deck) => cell(is.from[seat][deck], was.from[seat][deck]));
    return box("tr", "", heading("row", markOf(seat), ` ${name}`), ...cells);
  });
  const head = [heading("col", gettext("Taken by")), ...decks];
  return table("", gettext("Whose cards each player has taken."), head, rows);
}

/** @param {number} now @param {number} before */
function cell(now, before) {
  const change = now === before ? "" : ` (${signed(now - before)})`;
  return box("td", now === before ? "" : "is-changed", `${decimal(now)}${change}`);
}
