/**
 * The card and the way of a play that decides something, drawn on the table while the cursor is
 * right before it.
 * @import { RoundEvent } from "../../games/match/fold.js"
 * @import { Drawing, Shapes } from "../notes/shapes.js"
 * @import { Page } from "./page.js"
 */

/** @param {RoundEvent | undefined} event @returns {Drawing | null} */
function drawingOf(event) {
  if (!event || !("stack" in event)) return null;
  const cards = "cards" in event ? event.cards : [event.card];
  return {
    marks: cards.map((card) => `card:${card}`),
    arrows: cards.map((card) => `card:${card}>stack:${event.stack}`),
  };
}

export class Aim {
  /** @param {Page} page @param {Pick<Shapes, "show">} shapes */
  constructor(page, shapes) {
    this.page = page;
    this.shapes = shapes;
    /** @type {Set<number>} */
    this.seqs = new Set();
    /** What was last aimed at. @type {RoundEvent | undefined} */
    this.last = undefined;
    page.player.onChange(() => this.look());
    page.offer("decides", (seqs) => {
      for (const seq of seqs) this.seqs.add(seq);
      this.look();
    });
  }

  /** The play that comes next, if it decides something and nothing moves. */
  get event() {
    const { round, cursor, playing } = this.page.player;
    const next = round?.seqs[cursor.event];
    if (playing || this.page.state.line || !this.seqs.has(next ?? 0)) return undefined;
    return round?.events[cursor.event];
  }

  look() {
    const { event } = this;
    if (event === this.last) return;
    this.last = event;
    const drawing = drawingOf(event);
    this.shapes.show(drawing ? [drawing] : []);
    this.page.set({ aim: drawing });
  }
}
