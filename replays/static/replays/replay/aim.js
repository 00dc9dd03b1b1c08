/**
 * @import { RoundEvent } from "../../games/match/fold.js"
 * @import { Drawing } from "../../games/board/shapes.js"
 * @import { Page } from "./page.js"
 */

import { Shapes } from "../../games/board/shapes.js";

/** @param {RoundEvent | null} event @returns {Drawing | null} */
function drawingOf(event) {
  if (!event || !("stack" in event)) return null;
  const cards = "cards" in event ? event.cards : [event.card];
  return {
    marks: cards.map((card) => `card:${card}`),
    arrows: cards.map((card) => `card:${card}>stack:${event.stack}`),
  };
}

/**
 * Draws the card and the way of a play that decides something, while the cursor is right before it.
 * @param {Page} page @param {Pick<Shapes, "show">} [shapes]
 */
export function aimWith(page, shapes = new Shapes(page.board)) {
  /** @type {RoundEvent | null} */
  let last = null;
  const look = () => {
    if (page.aim === last) return;
    last = page.aim;
    const drawing = drawingOf(last);
    shapes.show(drawing ? [drawing] : []);
  };
  page.player.onChange(look);
  page.player.onState(look);
  page.onChange(["decides", "line"], look);
  look();
}
