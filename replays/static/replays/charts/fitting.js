/**
 * The parts of a figure that depend on the page's room: numbers in and beside bars, the widths of
 * columns. No DOM.
 * @typedef {import("./chartstyle.js").Look} Look
 */

/** The decks’ marks, which begin a player’s label. */
export const SIGNS = "●▲■◆★";
/** The numbers' size, about how wide a digit of it is, and a column, in px: on a wide and on a narrow plot. */
const SIZES = {
  wide: { size: 11, digit: 7, column: 11 },
  narrow: { size: 10, digit: 6.2, column: 6 },
};
/** Below this width (px) names go where there is space. */
export const NARROW = 600;
const MARK = 14;
/** Beside the sum of a row's cards, in px. */
const BESIDE = 10;
/** So many cards, at least, are as long as the plot. */
const LEAST = 8;
/** Text on a deck's colour: the one with more contrast. */
const TEXTS = ["#0d1017", "#ffffff"];

/** @param {string} colour `rgb(…)` or `#…` */
function luminance(colour) {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    : (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The text colour with more contrast on another. @param {string} colour */
export const inkOn = (colour) =>
  TEXTS.reduce((best, text) => (contrast(text, colour) > contrast(best, colour) ? text : best));

/** @param {number} room px along the plot */
const sizeOn = (room) => (room < NARROW ? SIZES.narrow : SIZES.wide);

/** @param {string} digits @param {number} width px @param {number} digit px */
const fits = (digits, width, digit) => width > digit * digits.length + 2;

/**
 * The axis of the bars, as long as leaves room for the sums at both ends.
 * @param {any} axis @param {any[]} data @param {number} room px
 */
export function barsAxis(axis, data, room) {
  const sums = data.find(({ meta }) => meta?.sums);
  if (!sums) return axis;
  const [low, high] = [Math.min(...sums.x), Math.max(...sums.x)];
  const digits = String(Math.max(-low, high)).length;
  const beside = BESIDE + SIZES.wide.digit * digits;
  const card = Math.max(high - low, LEAST) / (room - 2 * beside);
  return { ...axis, range: [low - beside * card, high + beside * card] };
}

/**
 * A number in a bar, with its player's mark where there is room. Empty without room.
 * @param {{cards: number, seat: number, taker: number, owner: number}} piece @param {number} width px
 * @param {number} digit px
 */
export function labelOf({ cards, seat, taker, owner }, width, digit) {
  const digits = String(cards);
  if (width > digit * digits.length + MARK && taker !== owner) return `${SIGNS[seat]}${digits}`;
  return fits(digits, width, digit) ? digits : "";
}

/** @param {any} trace @param {any} layout @param {number} room @param {Look} look */
function numbered(trace, { xaxis2 }, room, look) {
  const card = room / (xaxis2.range[1] - xaxis2.range[0]);
  const { size, digit } = sizeOn(room);
  /** @type {any[]} */
  const pieces = trace.meta.pieces;
  const color = pieces.map(({ seat, taker, owner }) =>
    taker === owner ? look.ink : inkOn(look.decks[seat]),
  );
  const text = pieces.map((piece) => labelOf(piece, piece.cards * card, digit));
  return { ...trace, text, textfont: { color, size } };
}

/** A piece of a bar: plain under its number, else in the deck's pattern. @param {any} trace @param {any} layout @param {number} room */
function barOf(trace, { xaxis2 }, room) {
  const width = (trace.meta.bar * room) / (xaxis2.range[1] - xaxis2.range[0]);
  if (!fits(String(trace.meta.bar), width, sizeOn(room).digit)) return trace;
  const { fillpattern, ...plain } = trace;
  return plain;
}

/** The highest takes' numbers are large, unless more than three share that height. @param {any} trace @param {string} highest */
function outstanding(trace, highest) {
  const large = trace.text.map((/** @type {string} */ words) => words === highest);
  const size = large.map((/** @type {boolean} */ is) => (is ? 15 : 12));
  const weight = large.map((/** @type {boolean} */ is) => (is ? 700 : 400));
  return { ...trace, textfont: { ...trace.textfont, size, weight } };
}

/** The number of the highest takes. Empty if many are as high. @param {any} layout */
function highestOf({ meta }) {
  const heights = (meta.stacks ?? []).filter((/** @type {any[]} */ row) => row[4] !== null);
  const cards = heights.map((/** @type {any[]} */ row) => row[5]);
  const most = Math.max(...cards);
  return cards.filter((/** @type {number} */ count) => count === most).length > 3 ? "" : `${most}`;
}

/**
 * @param {any} trace already in the page's colours
 * @param {any} layout of the figure
 * @param {number} room px along the plot
 * @param {Look} look
 */
export function fitted(trace, layout, room, look) {
  const cell = room / (layout.meta.cells?.length || 1);
  const { meta } = trace;
  if (meta?.pieces) return numbered(trace, layout, room, look);
  if (meta?.bar) return barOf(trace, layout, room);
  if (meta?.sums) return { ...trace, textfont: { color: look.soft, size: 12 } };
  if (meta?.column) return { ...trace, line: { ...trace.line, width: sizeOn(room).column } };
  if (meta?.nets) {
    const { size, digit } = sizeOn(room);
    const all = trace.text.every((/** @type {string} */ words) => fits(words, cell, digit));
    return all ? { ...trace, textfont: { ...trace.textfont, size } } : { ...trace, text: "" };
  }
  return meta?.mark && layout.meta.stacks && trace.mode === "markers+text"
    ? outstanding(trace, highestOf(layout))
    : trace;
}

/** Marks closer than this, in px, cover each other. A chart is about so many px high. */
const COVER = 4;
const HIGH = 280;
/** Numbers beside marks need so much room, in px. */
const NUMBER = { wide: 20, high: 11 };

/** @param {[number, number]} range of an axis @param {number} room px along it @returns {(value: number) => number} */
const scale =
  ([from, to], room) =>
  (value) =>
    ((value - from) / (to - from)) * room;

/**
 * The marks of a trace without those that would cover another: each costs as much as a visible one.
 * @param {any} trace @param {{range: [number, number]}} axis
 * @param {number} room px
 */
export function uncovered(trace, { range }, room) {
  if (trace.mode !== "markers") return trace;
  const low = Math.min(...trace.y);
  const across = scale(range, room / COVER);
  const up = scale([low, Math.max(...trace.y, low + 1)], HIGH / COVER);
  const cells = new Set();
  const kept = trace.x.map((/** @type {number} */ x, /** @type {number} */ at) => {
    const cell = `${Math.round(across(x))} ${Math.round(up(trace.y[at]))}`;
    return !cells.has(cell) && Boolean(cells.add(cell));
  });
  const some = (/** @type {unknown} */ values) =>
    Array.isArray(values) ? values.filter((_, at) => kept[at]) : values;
  return { ...trace, x: some(trace.x), y: some(trace.y), text: some(trace.text) };
}

/**
 * The traces, with numbers beside their marks only as far as all can be read: the greatest first.
 * @param {any[]} traces
 * @param {any} layout with the range of both axes
 * @param {number} room px
 */
export function legible(traces, { xaxis, yaxis }, room) {
  const numbered = traces.filter(({ mode }) => mode === "markers+text");
  if (!numbered.length) return traces;
  const [across, up] = [scale(xaxis.range, room), scale(yaxis.range, HIGH)];
  const places = numbered.flatMap(({ x, y, text }, of) =>
    text.map((/** @type {string} */ words, /** @type {number} */ at) => {
      return { of, at, size: Number(words), x: across(x[at]), y: up(y[at]) };
    }),
  );
  /** @type {typeof places} */
  const shown = [];
  for (const place of places.toSorted((a, b) => b.size - a.size))
    if (shown.every((other) => apart(other, place))) shown.push(place);
  const kept = new Set(shown.map(({ of, at }) => `${of} ${at}`));
  return traces.map((trace) => {
    const of = numbered.indexOf(trace);
    if (of < 0) return trace;
    const text = trace.text.map((/** @type {string} */ words, /** @type {number} */ at) =>
      kept.has(`${of} ${at}`) ? words : "",
    );
    return { ...trace, text };
  });
}

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
const apart = (a, b) => Math.abs(a.x - b.x) >= NUMBER.wide || Math.abs(a.y - b.y) >= NUMBER.high;
