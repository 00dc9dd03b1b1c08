/**
 * Turns a figure from the server into one for this page, with the theme's colours and the available
 * space. The original is left unchanged, to be styled again.
 * @typedef {{round: number, offset: number, width: number, duration: number}} Stretch
 *   `offset` and `width` on the axis, `duration` in ms
 * @typedef {{data: any[], layout: any}} Figure
 * @typedef {{decks: string[], ink: string, soft: string, line: string, surface: string,
 *   font: string, longest: number}} Look  `longest`: characters of the longest name shown
 * @typedef {{left: number, right: number, top: number, bottom: number}} Margins  px
 */

import { barsAxis, fitted, legible, NARROW, SIGNS, uncovered } from "./fitting.js";
import { seatOfEnd } from "./picking.js";

/** The server cuts names at line ends to this many characters. */
const LONGEST = 14;
/** So long a label fits beside a narrow chart. */
const SHORT = 11;
/** About how wide a letter is, in px. */
const LETTER = 7.2;
/** Areas are a little paler than lines and marks. */
const AREA = 0.82;

/** Calls when the page's theme changes, chosen here or by the system. @param {() => void} repaint */
export function onTheme(repaint) {
  const themed = { attributeFilter: ["data-theme"] };
  new MutationObserver(repaint).observe(document.documentElement, themed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
}

/** @param {number} width px */
const isNarrow = (width) => width < NARROW;

/**
 * Space around a plot along time or rounds. Names are at its rows, or at the ends of its lines.
 * @param {any} layout of the figure @param {number} width @param {Look} look @returns {Margins}
 */
export function timeMargins({ yaxis2 }, width, { longest }) {
  if (isNarrow(width))
    return { left: yaxis2 ? 84 : 34, right: yaxis2 ? 10 : 84, top: 20, bottom: 40 };
  const [left, right] = yaxis2 ? [74 + LETTER * longest, 20] : [56, 66 + LETTER * longest];
  return { left, right, top: 22, bottom: 44 };
}

/** @param {number} width @returns {Margins} */
export const matrixMargins = (width) =>
  isNarrow(width)
    ? { left: 88, right: 2, top: 66, bottom: 4 }
    : { left: 150, right: 2, top: 66, bottom: 4 };

/**
 * A colour as `rgb(…)`, whatever its CSS form.
 * @param {CanvasRenderingContext2D} pen @param {string} colour
 */
function plain(pen, colour) {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${red},${green},${blue})`;
}

/**
 * The CSS colours at a place in the page.
 * @param {Element} element @param {string[]} names @returns {Look}
 */
export function lookOf(element, names) {
  const probe = element.appendChild(document.createElement("span"));
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  /** @param {string} name */
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    const computed = getComputedStyle(probe).color;
    return pen ? plain(pen, computed) : computed;
  };
  const decks = names.map((_, seat) => colour(`--deck-${seat}`));
  const [ink, soft, line, surface] = ["--ink", "--ink-soft", "--line", "--surface"].map(colour);
  const font = getComputedStyle(probe).fontFamily;
  probe.remove();
  const longest = Math.min(LONGEST, Math.max(...names.map((name) => name.length)));
  return { decks, ink, soft, line, surface, font, longest };
}

/** @param {string} rgb @param {number} share */
const pale = (rgb, share) => rgb.replace("rgb(", "rgba(").replace(")", `,${share})`);

/** @param {any} trace @param {Look} look */
function paintSeat(trace, look) {
  const colour = look.decks[trace.meta.seat];
  if (trace.line) trace.line = { ...trace.line, color: trace.meta.edge ? look.surface : colour };
  if (trace.meta.share) {
    trace.fillcolor = pale(colour, trace.meta.share);
    trace.line = { width: trace.meta.outline ? 1 : 0, color: colour };
  } else if (trace.fill) {
    trace.fillcolor = pale(colour, AREA);
    trace.fillpattern = {
      ...trace.fillpattern,
      fgcolor: look.surface,
      bgcolor: pale(colour, AREA),
      fgopacity: 0.38,
      fillmode: "replace",
    };
  }
  if (trace.marker)
    trace.marker = {
      ...trace.marker,
      color: colour,
      line: { ...trace.marker.line, color: look.surface },
    };
  trace.textfont = { color: look.ink, size: 12 };
}

/** A mark in ink, or a ring, with an edge that keeps it apart from areas. @param {any} trace @param {Look} look */
function paintInk(trace, look) {
  const [color, edge] = trace.meta.ring ? [look.surface, look.ink] : [look.ink, look.surface];
  if (trace.marker)
    trace.marker = { ...trace.marker, color, line: { ...trace.marker.line, color: edge } };
  trace.textfont = { color: look.ink, size: 14, weight: 600 };
}

/** Traces that belong to no player. @param {any} trace @param {Look} look */
function paintGrey(trace, look) {
  trace.line = { ...trace.line, width: trace.fill ? 0 : trace.line.width, color: look.line };
  if (trace.fill) trace.fillcolor = look.line;
}

/** A point's text, without Plotly's markup. @param {string} markup */
export const plainText = (markup) =>
  unescaped(markup.replaceAll(/<br ?\/?>/g, " ").replaceAll(/<[^>]*>/g, ""));

/**
 * A line of text above the chart replaces Plotly's hover box.
 * @param {any} source @param {Look} look
 */
function styleTrace(source, look) {
  const { hovertemplate, ...trace } = source;
  if (hovertemplate) trace.hoverinfo = "none";
  if (trace.meta?.seat !== undefined) paintSeat(trace, look);
  else if (trace.meta?.ink) paintInk(trace, look);
  else if (trace.meta?.grey) paintGrey(trace, look);
  else if (trace.mode === "text") trace.textfont = { color: look.ink, size: 12 };
  return trace;
}

/** @param {any} shape @param {Look} look */
function styleShape(shape, look) {
  const [kind, seat, strength] = (shape.name ?? "").split(" ");
  if (kind === "cell")
    return { ...shape, fillcolor: pale(look.decks[Number(seat)], Number(strength)) };
  const colour = kind === "base" ? look.ink : kind === "target" ? look.soft : look.line;
  return { ...shape, line: { ...shape.line, color: colour } };
}

/** Every nth tick, so that their labels stay a letter apart. @param {any} axis @param {number} room px */
function thinned(axis, room) {
  if (axis.tickmode !== "array") return axis;
  const letters = Math.max(...axis.ticktext.map((/** @type {string} */ { length }) => length));
  const apart = LETTER * (letters + 1);
  const every = Math.max(1, Math.ceil((axis.tickvals.length * apart) / room));
  /** @param {unknown} _ @param {number} at */
  const kept = (_, at) => at % every === 0;
  return { ...axis, tickvals: axis.tickvals.filter(kept), ticktext: axis.ticktext.filter(kept) };
}

/** @param {any} axis @param {Look} look @param {{title: boolean, narrow: boolean}} how */
function styleAxis(axis, look, { title, narrow }) {
  const names = axis.ticktext?.some((/** @type {string} */ text) => SIGNS.includes(text[0]));
  return {
    ...axis,
    automargin: false,
    ticklabeloverflow: "allow", // else every label is measured, one by one
    gridcolor: look.line,
    linecolor: look.line,
    tickfont: { color: names ? look.ink : look.soft, size: narrow ? 11 : 12 },
    ticklabelstandoff: 4,
    title: title
      ? { ...axis.title, font: { color: look.soft, size: 12 }, standoff: 10 }
      : { text: "" },
  };
}

/**
 * Words in the margin are in ink. On a narrow chart all are short.
 * @param {any} note @param {Look} look @param {boolean} narrow @param {Record<string, string>} short
 */
function styleNote(note, look, narrow, short) {
  const end = seatOfEnd(note.name) !== null;
  const text = !narrow ? note.text : end ? twoLines(note.text) : (short[note.name] ?? note.text);
  const bgcolor = note.name?.startsWith("part") ? look.surface : undefined;
  const font = { color: end ? look.ink : look.soft, size: narrow ? 11 : 12 };
  return { ...note, text, bgcolor, font };
}

/** A player's label, whole if it is short, or cut, with its number below, if it has one. @param {string} text */
function twoLines(text) {
  if (cut(unescaped(text), SHORT) === unescaped(text)) return text;
  const [, name, number = ""] = text.match(/^(.*?)(\u00a0[+−]?\d+)?$/s) ?? [];
  return escaped(cut(unescaped(name), 9)) + number.replace("\u00a0", "<br>");
}

/**
 * @param {Figure} figure @param {Look} look
 * @param {number} width px of the chart
 * @returns {Figure}
 */
export function styleFigure(figure, look, width) {
  const narrow = isNarrow(width);
  const alongTime = Boolean(figure.layout.meta?.rounds);
  const margins = alongTime ? timeMargins(figure.layout, width, look) : matrixMargins(width);
  const room = width - margins.left - margins.right;
  const { xaxis2, ...others } = figure.layout;
  const layout = xaxis2 ? { ...others, xaxis2: barsAxis(xaxis2, figure.data, room) } : others;
  const styled = figure.data.map((source) => styleTrace(source, look));
  const data = alongTime
    ? legible(styled, layout, room)
        .map((trace) => uncovered(trace, layout.xaxis, room))
        .map((trace) => fitted(trace, layout, room, look))
    : styled;
  const xaxis = alongTime ? thinned(layout.xaxis, room) : shortened(layout.xaxis, narrow, room);
  const yaxis = shortened(layout.yaxis, narrow, room);
  const yaxis2 = shortened(layout.yaxis2, narrow, room);
  return {
    data,
    layout: {
      ...layout,
      title: undefined,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: look.font, color: look.ink, size: 12 },
      hoverlabel: { bgcolor: look.surface, bordercolor: look.line, font: { color: look.ink } },
      margin: { l: margins.left, r: margins.right, t: margins.top, b: margins.bottom, pad: 0 },
      xaxis: styleAxis(xaxis, look, { title: true, narrow }),
      yaxis: styleAxis(yaxis, look, { title: !narrow, narrow }),
      ...(yaxis2 && {
        xaxis2: styleAxis(layout.xaxis2, look, { title: false, narrow }),
        yaxis2: styleAxis(yaxis2, look, { title: false, narrow }),
      }),
      shapes: (layout.shapes ?? []).map((/** @type {any} */ shape) => styleShape(shape, look)),
      annotations: (layout.annotations ?? []).map((/** @type {any} */ note) =>
        styleNote(note, look, narrow, layout.meta?.short ?? {}),
      ),
    },
  };
}

/** Text escaped so that Plotly finds no markup in it. @param {string} text */
export const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {string} text */
const unescaped = (text) =>
  text.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** About how wide a letter is, in letters of usual width. @param {string} letter */
const widthOf = (letter) =>
  /[\u2e80-\uffef]/.test(letter) ? 1.8 : /[MWmw@%]/.test(letter) ? 1.5 : 1;

/** Text that fits into so many letters of usual width. @param {string} text @param {number} most */
function cut(text, most) {
  let room = most + 1;
  for (const [at, letter] of [...text].entries()) {
    room -= widthOf(letter);
    if (room < 0) return `${[...text].slice(0, at).join("")}…${text.match(/\u2069/)?.[0] ?? ""}`;
  }
  return text;
}

/**
 * Names of rows and columns, cut to fit: a column's below its mark.
 * @param {any} axis @param {boolean} narrow @param {number} room px along the plot
 */
function shortened(axis, narrow, room) {
  if (!axis?.ticktext) return axis;
  const column = axis.side === "top" && room / axis.ticktext.length / LETTER - 2;
  /** @param {string} text */
  const short = (text) => {
    if (!SIGNS.includes(text[0])) return text;
    if (!column) return narrow ? twoLines(text) : text;
    return `${text[0]}<br>${escaped(cut(unescaped(text.slice(2)), column))}`;
  };
  return { ...axis, ticktext: axis.ticktext.map(short) };
}
