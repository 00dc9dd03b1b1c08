// @ts-check
/**
 * A variation compared with what happened: a chart of the scores and a table of the figures.
 *
 * @typedef {import("./comparing.js").Comparison} Comparison
 * @typedef {import("./comparing.js").Standing} Standing
 * @typedef {"score" | "taken" | "left"} Measure
 */

import { markOf } from "../../games/board/cards.js";
import { box } from "../../games/dom/elements.js";
import { clock, points, signed } from "../../games/match/words.js";
import { standingBy } from "./comparing.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 320;
const HEIGHT = 110;
const EDGE = 6;

/** What the picture can show, by the label of the choice. @type {[string, Measure][]} */
const MEASURES = [
  ["Points of this round", "score"],
  ["Cards taken", "taken"],
  ["Cards left to play", "left"],
];
/** What was last looked at is shown of the next variation too. */
let chosen = 0;

/** @param {Comparison} comparison @param {string[]} names */
export function comparisonOf(comparison, names) {
  const { instead } = comparison;
  const t = instead.at(-1)?.t ?? comparison.from;
  const title = box("h3", "what-if-title", "Compared with what happened");
  const key = box("p", "what-if-note", `From ${clock(comparison.from)} on. Dashed: what happened.`);
  const select = document.createElement("select");
  select.setAttribute("aria-label", "What the picture shows");
  select.append(...MEASURES.map(([words]) => new Option(words, words)));
  select.selectedIndex = chosen;
  const drawn = box("div", "", picture(comparison, MEASURES[chosen][1]));
  select.addEventListener("change", () => {
    chosen = select.selectedIndex;
    drawn.replaceChildren(picture(comparison, MEASURES[chosen][1]));
  });
  const parts = [select, drawn, key, table(comparison, t, names), takings(comparison, t, names)];
  return box("section", "comparison", title, ...parts);
}

/** @param {Comparison} comparison @param {Measure} measure */
function picture(comparison, measure) {
  const { happened, instead, from, to } = comparison;
  const scores = [...happened, ...instead].flatMap((standing) => standing[measure]);
  const [low, high] = [Math.min(...scores, 0), Math.max(...scores, low0(scores))];
  /** @param {number} t */
  const x = (t) => EDGE + ((t - from) / Math.max(to - from, 1)) * (WIDTH - 2 * EDGE);
  /** @param {number} score */
  const y = (score) =>
    HEIGHT - EDGE - ((score - low) / Math.max(high - low, 1)) * (HEIGHT - 2 * EDGE);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("class", "comparison-picture");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path(`M${EDGE} ${y(0)}H${WIDTH - EDGE}`, "comparison-zero"));
  const seats = instead[0]?.score.map((_, seat) => seat) ?? [];
  for (const seat of seats) {
    svg.append(
      path(steps(happened, measure, seat, x, y), `comparison-line deck-${seat} is-happened`),
    );
    svg.append(path(steps(instead, measure, seat, x, y), `comparison-line deck-${seat}`));
  }
  return svg;
}

/** Keeps the chart from being flat. @param {number[]} scores */
const low0 = (scores) => Math.min(...scores) + 1;

/** @param {string} d @param {string} kind */
function path(d, kind) {
  const element = document.createElementNS(SVG, "path");
  element.setAttribute("d", d);
  element.setAttribute("class", kind);
  return element;
}

/**
 * @param {Standing[]} side @param {Measure} measure @param {number} seat
 * @param {(t: number) => number} x @param {(score: number) => number} y
 */
function steps(side, measure, seat, x, y) {
  return side
    .map((standing, at) => {
      const [across, down] = [x(standing.t).toFixed(1), y(standing[measure][seat]).toFixed(1)];
      return at ? `H${across}V${down}` : `M${across} ${down}`;
    })
    .join("");
}

/** @param {Comparison} comparison @param {number} t where the variation ends @param {string[]} names */
function table({ happened, instead }, t, names) {
  const [was, is] = [standingBy(happened, t), standingBy(instead, t)];
  const head = ["Player", "Points", "Taken", "Left to play"].map((words) => heading("col", words));
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
  const caption = box(
    "caption",
    "what-if-note",
    `At ${clock(t)}; in brackets, the difference from what happened.`,
  );
  return box(
    "table",
    "comparison-table",
    caption,
    box("thead", "", box("tr", "", ...head)),
    box("tbody", "", ...rows),
  );
}

/** Whose cards each seat has taken. @param {Comparison} comparison @param {number} t where the variation ends @param {string[]} names */
function takings({ happened, instead }, t, names) {
  const [was, is] = [standingBy(happened, t), standingBy(instead, t)];
  const decks = names.map((name, deck) => {
    const head = heading("col", markOf(deck), box("span", "visually-hidden", ` cards of ${name}`));
    head.title = `Cards of ${name}`;
    return head;
  });
  const rows = names.map((name, seat) => {
    const cells = names.map((_, deck) => cell(is.from[seat][deck], was.from[seat][deck]));
    return box("tr", "", heading("row", markOf(seat), ` ${name}`), ...cells);
  });
  const caption = box("caption", "what-if-note", "Whose cards each player has taken.");
  const head = box("tr", "", heading("col", "Taken by"), ...decks);
  return box(
    "table",
    "comparison-table",
    caption,
    box("thead", "", head),
    box("tbody", "", ...rows),
  );
}

/** @param {string} scope @param {(Node | string)[]} inside */
function heading(scope, ...inside) {
  const element = box("th", "", ...inside);
  element.setAttribute("scope", scope);
  return element;
}

/** @param {number} now @param {number} before */
function cell(now, before) {
  const change = now === before ? "" : ` (${signed(now - before)})`;
  return box("td", now === before ? "" : "is-changed", `${points(now)}${change}`);
}
