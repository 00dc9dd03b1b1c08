/**
 * The site's notes on the timeline: a triangle for a moment, a bar for a span. A click opens a
 * note. Everything is drawn as two paths, however many notes there are.
 * @typedef {import("./items.js").Item} Item
 * @typedef {import("../replay/page.js").Page["scrubber"]} Scrubber
 */

import { drawn } from "../../games/dom/elements.js";

/** The lane at the bottom, in px from there, and how near a click must come. */
const LANE = { top: 13, near: 7 };

export class TimelineMarks {
  /** @param {Scrubber} scrubber @param {(item: Item) => void} choose */
  constructor(scrubber, choose) {
    this.scrubber = scrubber;
    /** @type {Item[]} */
    this.items = [];
    /** @type {{item: Item, x: number, end: number}[]} */
    this.placed = [];
    /** @type {Item | null} */
    this.marked = null;
    const svg = drawn("svg", { "aria-hidden": "true", class: "note-lane" });
    this.points = drawn("path");
    this.spans = drawn("path", { class: "lane-span" });
    this.chosen = drawn("path", { class: "lane-chosen" });
    svg.append(this.spans, this.points, this.chosen);
    scrubber.track.append(svg);
    scrubber.onDraw(() => this.draw());
    scrubber.track.addEventListener("click", (event) => {
      const note = this.#under(event);
      if (note) choose(note);
    });
  }

  /** @param {Item[]} items */
  show(items) {
    this.items = items.filter((item) => !item.reply);
    this.draw();
  }

  /**
   * The position of an event of a round.
   * @param {number} number @param {number} event @returns {number | null}
   */
  x(number, event) {
    const stretch = this.scrubber.stretches.find(({ round }) => round.number === number);
    if (!stretch) return null;
    const t = stretch.round.events[event - 1]?.t ?? 0;
    return t > stretch.until ? null : stretch.from + (stretch.width * t) / stretch.length;
  }

  draw() {
    this.placed = [];
    for (const item of this.items) {
      const x = this.x(item.round, item.event);
      if (x === null) continue;
      const end = item.until === undefined ? x : (this.x(item.round, item.until) ?? x);
      this.placed.push({ item, x, end });
    }
    const drawn = this.placed.filter(({ item }) => !item.log || item.until !== undefined);
    const points = drawn.filter(({ item }) => item.until === undefined);
    const spans = drawn.filter(({ item }) => item.until !== undefined);
    const { height } = this.scrubber;
    this.points.setAttribute("d", points.map(({ x }) => point(x, height)).join(""));
    this.spans.setAttribute("d", spans.map(({ x, end }) => span(x, height, end)).join(""));
    this.mark(this.marked);
  }

  /** Shows which note is chosen. @param {Item | null} [item] */
  mark(item = null) {
    this.marked = item;
    const mark = item && this.placed.find((placed) => placed.item.key === item.key);
    const { height } = this.scrubber;
    const shape = mark && (item.until === undefined ? point : span);
    this.chosen.setAttribute("d", shape ? shape(mark.x, height, mark.end) : "");
  }

  /** @param {MouseEvent} event */
  #under(event) {
    const { left, bottom } = this.scrubber.track.getBoundingClientRect();
    const x = event.clientX - left;
    if (event.clientY < bottom - LANE.top) return null;
    const near = this.placed
      .map((placed) => ({ ...placed, far: Math.max(placed.x - x, x - placed.end, 0) }))
      .filter(({ far }) => far <= LANE.near)
      .sort((a, b) => a.far - b.far || a.end - a.x - (b.end - b.x));
    return near[0]?.item ?? null;
  }
}

/** @param {number} x @param {number} bottom */
const point = (x, bottom) => `M${x.toFixed(1)} ${bottom - 8}l-4.5 8h9Z`;

/** @param {number} from @param {number} bottom @param {number} to */
const span = (from, bottom, to) =>
  `M${from.toFixed(1)} ${bottom - 6}h${Math.max(to - from, 3).toFixed(1)}v5H${from.toFixed(1)}Z`;
