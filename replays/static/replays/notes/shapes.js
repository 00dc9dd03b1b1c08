/**
 * Marks and arrows over the table, and the pen that draws them. Cards hidden from the viewer are not
 * pointed at.
 * @typedef {import("../../games/board/board.js").Board} Board
 * @typedef {{marks: string[], arrows: string[]}} Drawing
 * @typedef {{x: number, y: number, width: number, height: number}} Box  px on the board
 * @import { RoundEvent } from "../../games/match/fold.js"
 * @import { Page } from "../replay/page.js"
 * @typedef {{say: (words: string) => void, point: () => void}} Way
 *   `point`: shows the notes' own shapes again
 */

import { drawn } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

const CARD_RATIO = 1.4;

/** @param {Box} box */
const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** Where the way from a box's middle to a point leaves it, so that no number is covered. @param {Box} box @param {{x: number, y: number}} to */
function edgeOf(box, to) {
  const from = middle(box);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const part = Math.min(box.width / 2 / Math.abs(dx), box.height / 2 / Math.abs(dy), 1);
  return { x: from.x + dx * part, y: from.y + dy * part };
}

/** Whether a point lies in a box. @param {Box} box @param {{x: number, y: number}} point */
const holds = (box, { x, y }) =>
  x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;

export class Shapes {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.svg = drawn("svg", { class: "note-shapes", "aria-hidden": "true" });
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
    const [from, to] = shape.split(">").map((end) => this.boxOf(end));
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
 * @param {Page} page @param {Pick<Shapes, "show">} shapes
 */
export function aimWith(page, shapes) {
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

/** How long a card named in a note is highlighted, in ms. */
const FLASH_MS = 2500;

/** A pressed link of a kind that is not to be opened elsewhere. @param {MouseEvent} event @param {string} kind */
const pressed = ({ target, ctrlKey, metaKey, shiftKey }, kind) =>
  target instanceof Element && !ctrlKey && !metaKey && !shiftKey
    ? target.closest(`a.${kind}`)
    : null;

/** What a link to a moment or card says. @param {Element} link */
const queryOf = (link) => new URLSearchParams(link.getAttribute("href") ?? "");

/**
 * Goes where a pressed link to a moment leads, without loading anything.
 * @param {MouseEvent} event @param {import("../../games/match/player.js").Player} player
 */
export function followMoment(event, player) {
  const link = pressed(event, "moment-link");
  if (!link) return;
  event.preventDefault();
  const query = queryOf(link);
  player.pause();
  player.goTo({ round: Number(query.get("round")), t: Number(query.get("t")) });
}

export class NoteLinks {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {Shapes} shapes @param {Way} way
   */
  constructor(player, shapes, way) {
    this.player = player;
    this.shapes = shapes;
    this.way = way;
  }

  /** @param {MouseEvent} event on any element of the notes */
  follow(event) {
    followMoment(event, this.player);
    const link = pressed(event, "card-link");
    if (!link) return;
    event.preventDefault();
    this.#showCard(queryOf(link).get("card") ?? "");
  }

  /** Shows a card where it is or, if not visible now, when it is played. @param {string} card */
  async #showCard(card) {
    this.player.pause();
    if (!this.shapes.boxOf(`card:${card}`)) {
      const events = this.player.round?.events ?? [];
      const at = events.findIndex((event) => "card" in event && event.card === card);
      if (at < 0)
        return this.way.say(gettext("Card {card} is not visible in this round.", { card }));
      await this.player.goTo({ round: this.player.cursor.round, event: at + 1, moment: true });
    }
    this.shapes.show([{ marks: [`card:${card}`], arrows: [] }]);
    setTimeout(() => this.way.point(), FLASH_MS);
  }
}

const HOLD_MS = 550;
/** A finger that moves farther than this, in px, is not holding still. */
const STILL = 8;

/**
 * Pointing at things on the table: a press marks one, a drag draws an arrow. This needs Shift, or
 * drawing mode. A long press starts a note.
 */
export class Pen {
  /**
   * @param {HTMLElement} root of the board
   * @param {Shapes} shapes
   * @param {{drawn: (from: string, to: string) => void, held: () => void}} way `held`: a long press
   * @param {boolean} [modeOnly] whether it draws in drawing mode alone, never with Shift
   */
  constructor(root, shapes, way, modeOnly = false) {
    this.modeOnly = modeOnly;
    this.root = root;
    this.shapes = shapes;
    this.way = way;
    this.on = false;
    /** @type {{mark: string, point: {x: number, y: number}} | null} */
    this.from = null;
    this.timer = 0;
    this.pressed = { x: 0, y: 0 };
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#stop());
    root.addEventListener("contextmenu", (event) => this.timer && event.preventDefault());
  }

  /** @param {boolean} on */
  switchTo(on) {
    this.on = on;
    this.root.classList.toggle("is-drawing", on);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button) return;
    this.pressed = { x: event.clientX, y: event.clientY };
    if (!this.on && (this.modeOnly || !event.shiftKey)) {
      if (!this.modeOnly && event.pointerType === "touch")
        this.timer = window.setTimeout(() => {
          this.timer = 0;
          this.way.held();
        }, HOLD_MS);
      return;
    }
    const point = this.shapes.pointAt(event.clientX, event.clientY);
    const mark = this.shapes.markAt(point);
    if (!mark) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    this.from = { mark, point };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { x, y } = this.pressed;
    if (Math.hypot(event.clientX - x, event.clientY - y) > STILL) clearTimeout(this.timer);
    if (!this.from) return;
    this.shapes.aim(this.from.point, this.shapes.pointAt(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { from } = this;
    const to = from && this.shapes.markAt(this.shapes.pointAt(event.clientX, event.clientY));
    this.#stop();
    if (from && to) this.way.drawn(from.mark, to);
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.from = null;
    this.shapes.redraw();
  }
}
