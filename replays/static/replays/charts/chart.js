// @ts-check
/**
 * One chart: its place on the page, its figure, its cursor.
 *
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {import("./chartstyle.js").Look} Look
 * @typedef {import("./plotly.js").Drawn} Drawn
 * @typedef {import("./plotly.js").Plotly} Plotly
 */

import { box, write } from "../../games/dom/elements.js";
import { numbers } from "../analysis/csv.js";
import { headOf, rowsOf } from "./chartnumbers.js";
import { matrixMargins, plainText, styleFigure } from "./chartstyle.js";
import { lastFilled, lineOf, placeOf } from "./places.js";
import { CONFIG } from "./plotly.js";

const UNREAD = "Point at or tap a chart to read its values.";

export class Chart {
  /**
   * @param {{name: string, title: string, about: string}} what
   * @param {string[]} names
   * @param {(seq: number) => void} go
   */
  constructor({ name, title, about }, names, go) {
    this.name = name;
    this.go = go;
    /** @type {Figure | null} */
    this.figure = null;
    /** Whether it can be seen. */
    this.near = false;
    /** @type {Drawn | null} */
    this.drawn = null;
    this.width = 0;
    this.seq = 0;
    this.marked = "";
    this.cursor = box("div", "chart-cursor");
    this.cursor.hidden = true;
    this.frames = box("div", "chart-frames");
    this.note = box("p", "chart-note");
    this.note.hidden = true;
    this.plot = box("div", "chart-plot");
    this.plot.setAttribute("role", "img");
    this.plot.setAttribute("aria-label", `${title}. ${about}`);
    this.message = box("p", "chart-message", "Loading…");
    /** The description at the pointer: above the chart, where it covers nothing. */
    this.reading = box("p", "chart-reading is-unread", UNREAD);
    const area = box(
      "div",
      `chart-area chart-${name}`,
      this.plot,
      this.frames,
      this.cursor,
      this.message,
    );
    this.numbers = numbers(
      name,
      headOf(name, names),
      () => (this.figure ? rowsOf(name, this.figure, names) : []),
      `${title}, in numbers`,
    );
    this.element = box(
      "figure",
      "chart",
      box(
        "figcaption",
        "chart-caption",
        box("h3", "chart-title", title),
        box("p", "chart-about", about),
        this.note,
      ),
      this.reading,
      area,
      this.numbers,
    );
  }

  /** Whether its width differs from when it was drawn. */
  get resized() {
    return this.plot.clientWidth !== this.width;
  }

  /** @param {Plotly} plotly @param {Look} look */
  async draw(plotly, look) {
    this.width = this.plot.clientWidth;
    if (!this.figure || !this.width) return;
    this.marked = "";
    if (this.numbers.open) this.numbers.dispatchEvent(new Event("toggle"));
    this.note.textContent = this.figure.layout.meta?.note ?? "";
    this.note.hidden = !this.note.textContent;
    const { data, layout } = styleFigure(this.figure, look, this.width);
    const drawn = await plotly.react(
      this.plot,
      data,
      { ...layout, width: this.width, height: this.plot.clientHeight },
      CONFIG,
    );
    this.message.hidden = true;
    if (this.drawn) return;
    this.drawn = drawn;
    drawn.on("plotly_click", (event) => this.#click(event));
    drawn.on("plotly_hover", (event) => this.#read(event));
  }

  /** @param {any} event */
  #read(event) {
    const point = event.points?.[0];
    const read = plainText(point?.hovertext ?? point?.text ?? "");
    this.reading.classList.toggle("is-unread", !read);
    write(this.reading, read || UNREAD);
  }

  /** @param {any} event */
  #click(event) {
    this.#read(event);
    const line = lineOf(event.points?.[0]?.customdata, this.seq);
    if (line !== null) this.go(line);
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
    if (px !== null) this.cursor.style.transform = `translateX(${px.toFixed(1)}px)`;
  }

  /** In a matrix: frames the cells filled by the last take before the cursor. */
  #mark() {
    const cells = lastFilled(/** @type {any} */ (this.figure).data[0], this.seq);
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
