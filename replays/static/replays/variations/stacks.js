/**
 * The center stacks of a variation beside the match's, on one time axis: whose cards lie in each,
 * and its taker. Two lanes for each stack, and a table of takers.
 * @import { Comparison, Side } from "./comparing.js"
 * @typedef {{x: (t: number) => number, y: number, unit: number}} Lane
 *   `y`: its top, `unit`: the height of a card, in px
 */

import { markOf } from "../../games/board/cards.js";
import { box, drawn } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

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

const HEIGHT = 20;
/** Between the lanes of one stack, and between two stacks. */
const GAPS = [4, 12];
const MARK = 10;
/** So many cards at least fill a lane, so that a low stack looks low. */
const LEAST_HIGH = 6;

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** The top of a stack's lane: the first is the match's. @param {number} slot @param {number} side */
const topOf = (slot, side) =>
  GAPS[1] + slot * (2 * HEIGHT + GAPS[0] + GAPS[1]) + side * (HEIGHT + GAPS[0]);

/** @param {Comparison} comparison */
export function stacksPicture(comparison) {
  const sides = [comparison.happened, comparison.instead];
  const every = sides.flatMap(({ standings }) => standings.flatMap(({ center }) => center));
  const unit = HEIGHT / Math.max(LEAST_HIGH, ...every.map(sum));
  const slots = [...(sides[1].standings[0]?.center.keys() ?? [])];
  const svg = picture(topOf(slots.length, 0));
  const x = axisOf(comparison);
  for (const slot of slots) {
    const label = drawn("text", { x: 2, y: topOf(slot, 1) + 2, class: "comparison-stack" });
    label.textContent = String(slot + 1);
    svg.append(label);
    sides.forEach((side, at) => {
      svg.append(...laneOf(side, slot, { x, y: topOf(slot, at), unit }));
    });
  }
  return svg;
}

/** Each deck's cards as a band, and the mark of the stack's taker. @param {Side} side @param {number} slot @param {Lane} lane */
function laneOf({ standings, takes }, slot, lane) {
  const { x, y } = lane;
  const d = `M${x(standings[0].t)} ${y + HEIGHT}H${x(standings.at(-1)?.t ?? 0)}`;
  const bands = [...standings[0].center[slot].keys()].map((deck) =>
    drawn("path", {
      d: bandOf(standings, slot, deck, lane),
      class: `comparison-band deck-${deck}`,
    }),
  );
  const marks = takes
    .filter(({ stack }) => stack === slot)
    .map(({ t, seat }) => {
      const mark = markOf(seat);
      const place = { x: x(t) - MARK / 2, y: y - MARK / 2, width: MARK, height: MARK };
      for (const [name, value] of Object.entries(place)) mark.setAttribute(name, String(value));
      return mark;
    });
  return [drawn("path", { d, class: "comparison-zero" }), ...bands, ...marks];
}

/** @param {Side["standings"]} standings @param {number} slot @param {number} deck @param {Lane} lane */
function bandOf(standings, slot, deck, { x, y, unit }) {
  const changes = standings.filter(
    ({ center }, at) => !at || String(center[slot]) !== String(standings[at - 1].center[slot]),
  );
  const end = standings.at(-1)?.t ?? 0;
  return changes
    .map(({ t, center }, at) => {
      const cards = center[slot];
      if (!cards[deck]) return "";
      const [from, to] = [x(t), x(changes[at + 1]?.t ?? end)].map((px) => px.toFixed(1));
      const upper = (y + HEIGHT - unit * sum(cards.slice(0, deck + 1))).toFixed(1);
      return `M${from} ${upper}H${to}v${(unit * cards[deck]).toFixed(1)}H${from}Z`;
    })
    .join("");
}

/** Who takes each stack up to a time. @param {Comparison} comparison @param {number} t @param {string[]} names */
export function stacksTable({ happened, instead }, t, names) {
  const rows = [...(instead.standings[0]?.center.keys() ?? [])].map((slot) => {
    const [was, is] = [happened, instead].map((side) => takesWords(side, slot, t, names));
    const cells = [was, is].map((takes) =>
      box("td", "", ...takes.map((words) => box("span", "comparison-take", words))),
    );
    return box("tr", "", heading("row", gettext("Stack {number}", { number: slot + 1 })), ...cells);
  });
  const head = [gettext("Stack"), gettext("What happened"), gettext("Instead")].map((words) =>
    heading("col", words),
  );
  return table(
    "is-words",
    gettext("Who takes each stack, and how many cards, up to {time}.", { time: clock(t) }),
    head,
    rows,
  );
}

/** @param {Side} side @param {number} slot @param {number} until @param {string[]} names */
function takesWords({ takes }, slot, until, names) {
  const said = takes
    .filter(({ stack, t }) => stack === slot && t <= until)
    .map(({ t, seat, cards }) => `${clock(t)} ${names[seat]} +${cards}`);
  return said.length ? said : ["nobody"];
}
