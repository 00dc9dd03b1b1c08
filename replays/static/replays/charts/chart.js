/**
 * One chart: its place on the page, its figure, its cursor, and its numbers as a table.
 * @import { Figure, Look } from "./chartstyle.js"
 * @import { Drawn, Plotly } from "./plotly.js"
 * @typedef {(string | number | null)[]} Row
 */

import { box, drawn, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { decimal, ngettext } from "../../games/words/gettext.js";
import { sentence } from "../analysis/sentence.js";
import { matrixMargins, plainText, styleFigure, timeMargins } from "./chartstyle.js";
import { SIGNS } from "./fitting.js";
import { belongs, seatOfEnd } from "./picking.js";
import { lastFilled, lineOf, placeOf } from "./places.js";
import { CONFIG } from "./plotly.js";

export class Chart {
  /**
   * @param {HTMLElement} element its place
   * @param {string[]} names
   * @param {{go: (seq: number, zoom: boolean) => void, read: (words: string) => void}} acts `go` to
   *   a line, if `zoom` into its round. `read` gets the words at the pointer.
   */
  constructor(element, names, acts) {
    this.element = element;
    this.name = element.dataset.chart ?? "";
    this.names = names;
    this.acts = acts;
    /** @type {Figure | null} */
    this.figure = null;
    this.near = false;
    /** @type {Drawn | null} */
    this.drawn = null;
    /** @type {Look | null} as it was drawn */
    this.look = null;
    this.width = 0;
    this.seq = 0;
    this.marked = "";
    /** @type {number | null} */
    this.picked = null;
    /** @param {string} kind */
    const part = (kind) => /** @type {HTMLElement} */ (element.querySelector(`.chart-${kind}`));
    this.cursor = part("cursor");
    this.frames = part("frames");
    this.says = part("says");
    this.plot = part("plot");
    this.message = part("message");
    this.title = part("title").textContent ?? "";
    /** @type {HTMLDetailsElement} */
    this.numbers = /** @type {any} */ (element.querySelector("details"));
    this.numbers.addEventListener("toggle", () => this.#count());
    this.#tell();
  }

  /** Whether it shows the rounds of a match. */
  get whole() {
    return Boolean(this.figure?.layout.meta?.cells);
  }

  /** What it shows, for all readers. */
  #tell() {
    const says = plainText((this.figure?.layout.meta?.says ?? []).join(" "));
    this.says.replaceChildren(...sentence(says, this.names));
    /** What a round's is about, and a match's. @type {NodeListOf<HTMLElement>} */
    const abouts = this.element.querySelectorAll(".chart-about");
    const about = abouts[this.whole ? abouts.length - 1 : 0];
    for (const words of abouts) words.hidden = words !== about;
    this.plot.setAttribute("aria-label", `${this.title}. ${about.textContent} ${says}`.trim());
  }

  /** Its numbers as a table, while that is open. */
  #count() {
    const { numbers, figure, whole } = this;
    if (!numbers.open || !figure) return;
    const [ofRound, ofMatch] = numbers.querySelectorAll("thead");
    if (ofMatch) ofRound.hidden = whole;
    if (ofMatch) ofMatch.hidden = !whole;
    const rows = rowsOf(this.name, figure, this.names);
    const shown = rows
      .slice(0, MOST)
      .map((row) => box("tr", "", ...row.map((value) => box("td", "", wordsOf(value)))));
    numbers.querySelector("tbody")?.replaceChildren(...shown);
    const left = rows.length - shown.length;
    const rest = left ? ngettext("{count} more row.", "{count} more rows.", left) : "";
    write(/** @type {Element} */ (numbers.querySelector(".analysis-note")), rest);
  }

  /** Whether its width differs from when it was drawn. */
  get resized() {
    return this.plot.clientWidth !== this.width;
  }

  /** @param {Plotly} plotly @param {Look} look */
  async draw(plotly, look) {
    this.look = look;
    if (this.name !== "fed") this.frames.replaceChildren();
    const { clientWidth: width, clientHeight: height } = this.plot; // before anything is written
    this.width = width;
    if (!this.figure || !width) return;
    this.marked = "";
    this.#tell();
    this.#count();
    const { data, layout } = styleFigure(this.figure, look, width);
    const drawn = await plotly.react(this.plot, data, { ...layout, width, height }, CONFIG);
    this.message.hidden = true;
    colourMarks(this.plot);
    this.pick(this.picked);
    if (this.drawn) return;
    this.drawn = drawn;
    drawn.on("plotly_click", (event) => this.#click(event));
    drawn.on("plotly_hover", (event) => this.#read(event));
    drawn.on("plotly_unhover", () => this.whole && this.frames.replaceChildren());
  }

  /** @param {any} event */
  #read(event) {
    const point = event.points?.[0];
    this.acts.read(plainText(point?.hovertext ?? point?.text ?? ""));
    if (this.whole && point?.data.meta?.values) this.#frameRound(point.pointIndex);
  }

  /** Frames what a press would open. @param {number} index of the point: a cell, of one player or all */
  #frameRound(index) {
    if (!this.figure || !this.look) return;
    const { left, right, top, bottom } = timeMargins(this.figure.layout, this.width, this.look);
    const count = this.figure.layout.meta.cells.length;
    const at = index % count;
    const frame = box("div", "chart-frame");
    frame.style.inset = `0 ${(1 - (at + 1) / count) * 100}% 0 ${(at / count) * 100}%`;
    this.frames.style.inset = `${top + this.#above}px ${right}px ${bottom}px ${left}px`;
    this.frames.replaceChildren(frame);
  }

  /** @param {any} event */
  #click(event) {
    this.#read(event);
    const point = event.points?.[0];
    const line = lineOf(point?.customdata, this.seq);
    if (line !== null) this.acts.go(line, this.whole && Boolean(point.data.meta?.values));
  }

  /** Lets what is not this player's be pale. @param {number | null} seat null: all is as it is */
  pick(seat) {
    this.picked = seat;
    if (!this.figure || (seat === null && !this.plot.querySelector(".is-pale"))) return;
    const drawn = /** @type {any} */ (this.plot)._fullData ?? [];
    for (const { uid, meta } of drawn)
      this.plot.querySelector(`.trace${uid}`)?.classList.toggle("is-pale", !belongs(meta, seat));
    for (const [at, { name }] of (this.figure.layout.annotations ?? []).entries()) {
      const end = seatOfEnd(name);
      const note = this.plot.querySelector(`.annotation[data-index="${at}"]`);
      if (end !== null) note?.classList.toggle("is-pale", !belongs({ seat: end }, seat));
    }
  }

  /** Says what cannot be drawn. @param {string} words */
  say(words) {
    this.message.textContent = words;
    this.message.hidden = false;
  }

  /** Puts the cursor where the player's is. @param {Look} look @param {import("../../games/match/player.js").Cursor} cursor */
  point(look, cursor) {
    this.seq = cursor.seq;
    if (!this.figure || !this.drawn) return;
    const { layout } = this.figure;
    if (!layout.meta?.rounds) return this.#mark();
    const px = placeOf(layout, cursor, this.width, look);
    this.cursor.hidden = px === null;
    this.cursor.style.insetBlockStart = this.#above;
    if (px !== null) this.cursor.style.transform = `translateX(${px.toFixed(1)}px)`;
  }

  /** Where the cursor begins if not all of the plot's height is along time: below the words there. */
  get #above() {
    const { below = 1 } = this.figure?.layout.meta ?? {};
    if (below === 1 || !this.figure || !this.look) return "";
    const { top, bottom } = timeMargins(this.figure.layout, this.width, this.look);
    const inner = this.plot.clientHeight - top - bottom;
    const dot = 4; // half its height
    return `${Math.round(top + (1 - below) * inner + dot)}px`;
  }

  /** In a matrix: frames the cells filled by the last take before the cursor. */
  #mark() {
    const { takes } = /** @type {any} */ (this.figure).data[0].meta;
    const cells = lastFilled(takes, this.seq);
    const key = cells.join();
    if (key === this.marked) return;
    this.marked = key;
    const { left, right, top, bottom } = matrixMargins(this.width);
    const frames = cells.map((at) => this.#frame(at));
    this.frames.style.inset = `${top}px ${right}px ${bottom}px ${left}px`;
    this.frames.replaceChildren(...frames);
  }

  /** @param {number} at of a cell, row by row */
  #frame(at) {
    const { x, y } = /** @type {Figure} */ (this.figure).data[0];
    const columns = Math.max(...x) + 1;
    const rows = Math.max(...y) + 1;
    const frame = box("div", "chart-frame");
    frame.style.inset = `${((y[at] + 0.04) / rows) * 100}% ${(1 - (x[at] + 0.98) / columns) * 100}% ${(1 - (y[at] + 0.96) / rows) * 100}% ${((x[at] + 0.02) / columns) * 100}%`;
    return frame;
  }
}

/** Colours the marks before names. Plotly would use a style in markup, which the policy forbids. @param {Element} plot */
function colourMarks(plot) {
  for (const { firstChild: words } of plot.querySelectorAll("text, tspan")) {
    const [sign, space = " "] = words?.nodeValue ?? "";
    const seat = space === " " ? SIGNS.indexOf(sign) : -1;
    if (!words || seat < 0) continue;
    const mark = drawn("tspan", {}, sign);
    mark.style.fill = `var(--deck-${seat})`;
    words.nodeValue = words.nodeValue?.slice(1) ?? "";
    words.before(mark);
  }
}

/** The most rows shown. A long match has thousands. */
const MOST = 500;

/** A value as the page writes it. @param {Row[number]} value */
function wordsOf(value) {
  if (value === null) return "–";
  return typeof value === "number" ? decimal(value) : value;
}

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
