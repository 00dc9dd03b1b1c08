/**
 * Marks and arrows over the table. Cards hidden from the viewer are not pointed at.
 * @typedef {import("./board.js").Board} Board
 * @typedef {{marks: string[], arrows: string[]}} Drawing
 * @typedef {{x: number, y: number, width: number, height: number}} Box  px on the board
 */

import { drawn } from "../dom/elements.js";

const CARD_RATIO = 1.4;

/** @param {Box} box */
const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** Where the way from a box's middle to a point leaves it, so that no number is covered. Its middle while it has no size. @param {Box} box @param {{x: number, y: number}} to */
export function edgeOf(box, to) {
  const from = middle(box);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const part = Math.min(box.width / 2 / Math.abs(dx), box.height / 2 / Math.abs(dy), 1) || 0;
  return { x: from.x + dx * part, y: from.y + dy * part };
}

/** Whether a point lies in a box. @param {Box} box @param {{x: number, y: number}} point */
const holds = (box, { x, y }) =>
  x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;

export class Shapes {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.svg = drawn("svg", { class: "note-shapes over", "aria-hidden": "true" });
    /** @type {Drawing[]} */
    this.drawn = [];
    this.frame = 0;
    /** What is in the picture, by mark or arrow. @type {Map<string, Element>} */
    this.parts = new Map();
    board.root.append(this.svg);
    new ResizeObserver(() => this.redraw()).observe(board.root);
  }

  /** @param {Drawing[]} drawings */
  show(drawings) {
    if (!drawings.length && !this.drawn.length) return;
    this.drawn = drawings;
    // Where things are is read once a frame, when the board has been laid out anyway.
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.#change();
    });
  }

  /** Draws what has come, and removes what has gone: stepping inside a span changes nothing. */
  #change() {
    const all = new Set(this.drawn.flatMap(({ marks, arrows }) => [...marks, ...arrows]));
    for (const [shape, part] of this.parts) {
      if (all.has(shape) && !shape.includes("card:")) continue; // A card may have moved.
      part.remove();
      this.parts.delete(shape);
    }
    for (const shape of all) {
      const part = this.parts.has(shape) ? null : this.#part(shape);
      if (!part) continue;
      this.parts.set(shape, part);
      this.svg.append(part);
    }
  }

  /** An arrow has a `>`. @param {string} shape */
  #part(shape) {
    if (!shape.includes(">")) return this.#mark(shape);
    const [from, to] = shape
      .split(">")
      .map((end) => this.board.spots.get(end.replace(":", "-")) ?? this.boxOf(end));
    return from && to ? arrowBetween(edgeOf(from, middle(to)), edgeOf(to, middle(from))) : null;
  }

  redraw() {
    if (!this.drawn.length && !this.svg.firstChild) return;
    this.parts.clear();
    this.svg.replaceChildren();
    this.#change();
  }

  /** @param {string} mark */
  #mark(mark) {
    const box = this.boxOf(mark);
    if (!box) return null;
    const { x, y, width, height } = box;
    const size = { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 9 };
    return drawn("rect", { class: "note-mark", ...size });
  }

  /** @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
  aim(from, to) {
    this.redraw();
    this.svg.append(arrowBetween(from, to));
  }

  /** Where a mark's target is visible. @param {string} mark @returns {Box | null} */
  boxOf(mark) {
    const [kind, name] = mark.split(":");
    if (kind === "card") return this.#cardBox(name);
    return this.board.spots.get(kind === "stack" ? `slot-${name}` : `seat-${name}`) ?? null;
  }

  /** @param {string} name */
  #cardBox(name) {
    const card = this.board.lying.get(name);
    if (!card?.shown || !card.up) return null;
    const { x, y, scale } = card.at;
    const width = (this.board.width ?? 1) * scale;
    return { x, y, width, height: width * CARD_RATIO };
  }

  /** Converts window coordinates to the board's. @param {number} clientX @param {number} clientY */
  pointAt(clientX, clientY) {
    const { root } = this.board;
    const { left, top } = root.getBoundingClientRect();
    return { x: clientX - left - root.clientLeft, y: clientY - top - root.clientTop };
  }

  /** A visible hand card, else the stack or seat. @param {{x: number, y: number}} point */
  markAt(point) {
    for (const card of this.board.lying.values())
      if (card.spot.startsWith("hand")) {
        const box = this.#cardBox(card.key);
        if (box && holds(box, point)) return `card:${card.key}`;
      }
    const all = [
      ...this.board.slots.map(({ number }) => `stack:${number}`),
      ...this.board.seats.map(({ number }) => `seat:${number}`),
    ];
    return (
      all.find((mark) => {
        const box = this.boxOf(mark);
        return box && holds(box, point);
      }) ?? null
    );
  }

  /** Everything that can be pointed at now. */
  targets() {
    const cards = [...this.board.lying.values()].filter((card) => card.shown && card.up);
    return [
      ...this.board.slots.map(({ number }) => `stack:${number}`),
      ...this.board.seats.map(({ number }) => `seat:${number}`),
      ...cards.map((card) => `card:${card.key}`),
    ];
  }
}

/** @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
function arrowBetween(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const base = { x: to.x - ux * 13, y: to.y - uy * 13 };
  const d =
    `M${from.x} ${from.y}L${base.x} ${base.y}` +
    `M${to.x} ${to.y}L${base.x - uy * 7} ${base.y + ux * 7}L${base.x + uy * 7} ${base.y - ux * 7}Z`;
  return drawn("path", { class: "note-arrow", d });
}
