/**
 * The leader's pointer on everyone's table. It is sent as the thing pointed at and the place on it,
 * since tables differ in size. Some of it may be lost.
 * @typedef {import("../notes/shapes.js").Shapes} Shapes
 * @typedef {[number, string, number, number]} Step  ms since the first, the thing, per mille
 */

import { box } from "../../games/dom/elements.js";

/** How often the pointer's place is taken, and how often it is sent, in ms. */
const STEP_MS = 80;
const SEND_MS = 400;
/** A pointer that has not moved for so long, in ms, fades. */
const FADE_MS = 2500;

export class Pointer {
  /**
   * @param {HTMLElement} root of the board
   * @param {Shapes} shapes @param {{leads: () => boolean, say: (path: Step[]) => void}} way
   */
  constructor(root, shapes, way) {
    this.root = root;
    this.shapes = shapes;
    this.way = way;
    this.dot = box("div", { class: "review-pointer", hidden: true, "aria-hidden": "true" });
    root.append(this.dot);
    /** @type {Step[]} */
    this.path = [];
    this.begun = 0;
    this.timer = 0;
    this.fade = 0;
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerleave", () => this.#leave());
  }

  // --- The leader's ---------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.way.leads()) return;
    const now = performance.now();
    const last = this.path.at(-1);
    if (last && now - this.begun - last[0] < STEP_MS) return;
    const step = this.#stepAt(event.clientX, event.clientY, now);
    if (!step) return;
    this.path.push(step);
    this.timer ||= window.setTimeout(() => this.#send(), SEND_MS);
  }

  /** @param {number} x @param {number} y @param {number} now @returns {Step | null} */
  #stepAt(x, y, now) {
    const point = this.shapes.pointAt(x, y);
    const mark = this.shapes.markAt(point);
    const at = mark && this.shapes.boxOf(mark);
    if (!mark || !at) return null;
    if (!this.path.length) this.begun = now;
    /** @param {number} part */
    const mille = (part) => Math.min(Math.max(Math.round(part * 1000), 0), 1000);
    const ms = Math.min(Math.round(now - this.begun), 1000);
    return [ms, mark, mille((point.x - at.x) / at.width), mille((point.y - at.y) / at.height)];
  }

  #send() {
    this.timer = 0;
    if (this.path.length) this.way.say(this.path.slice(0, 8));
    this.path = [];
  }

  #leave() {
    if (!this.way.leads()) return;
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.path = [];
    this.way.say([]);
  }

  // --- The others' ----------------------------------------------------------------------------

  /** @param {Step[]} path */
  show(path) {
    window.clearTimeout(this.fade);
    if (!path.length) {
      this.hide();
      return;
    }
    for (const [ms, mark, x, y] of path) window.setTimeout(() => this.#put(mark, x, y), ms);
    this.fade = window.setTimeout(() => this.hide(), FADE_MS);
  }

  hide() {
    this.dot.hidden = true;
  }

  /** @param {string} mark @param {number} x @param {number} y */
  #put(mark, x, y) {
    const at = this.shapes.boxOf(mark);
    if (!at) return;
    const left = at.x + (at.width * x) / 1000;
    const top = at.y + (at.height * y) / 1000;
    this.dot.hidden = false;
    this.dot.style.translate = `${left}px ${top}px`;
  }
}
