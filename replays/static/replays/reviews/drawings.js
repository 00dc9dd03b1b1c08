/**
 * The drawings in a review: the leader's, which everyone sees, and the viewer's own. Each belongs
 * to its position and is shown whenever the cursor is there.
 * @typedef {import("./session.js").ReviewSession} Session
 * @typedef {{marks: string[], arrows: string[]}} Drawn
 * @typedef {{round: number, event: number, line: string, chapter: number}} Position
 * @typedef {{position: Position, drawn: Drawn}} Draft
 * @typedef {[number, string, number, number]} Step  ms since the first, the thing, per mille
 */

import { box } from "../../games/dom/elements.js";
import { Drawing } from "../notes/drawing.js";
import { Shapes } from "../notes/shapes.js";

const MOST = 16;

/** @param {Position} position */
const keyOf = ({ round, event, line, chapter }) => `${chapter}.${round}.${event}.${line}`;

/** @returns {Drawn} */
const nothing = () => ({ marks: [], arrows: [] });

/** @param {Drawn} drawing @param {Drawn} other */
const sameDrawing = (drawing, other) =>
  drawing.marks.join() === other.marks.join() && drawing.arrows.join() === other.arrows.join();

export class Drawings {
  /**
   * @param {import("../../games/board/board.js").Board} board @param {Session} session
   * @param {{here: () => Position, changed: () => void}} way
   */
  constructor(board, session, way) {
    this.session = session;
    this.way = way;
    this.shapes = new Shapes(board);
    this.shapes.svg.classList.add("review-shapes");
    this.own = new Shapes(board);
    this.own.svg.classList.add("review-shapes", "is-own");
    /** What this viewer has drawn for themselves. @type {Map<string, Drawn>} */
    this.mine = new Map();
    /** What this leader has drawn that the server may not have yet. @type {Map<string, Draft>} */
    this.unsaid = new Map();
    this.pen = new Drawing(
      board.root,
      this.own,
      { drawn: (from, to) => this.#drawn(from, to), held: () => {} },
      true,
    );
  }

  get on() {
    return this.pen.on;
  }

  /** @param {boolean} on */
  switchTo(on) {
    this.pen.switchTo(on);
  }

  /**
   * What the server says that the leader has drawn at a position.
   * @param {string} key @returns {Drawn}
   */
  #received(key) {
    const moments = [...this.session.moments.values()];
    return moments.find((moment) => moment.drawn && keyOf(moment) === key) ?? nothing();
  }

  /** What the leader has drawn here. @returns {Drawn} */
  #shared() {
    const here = keyOf(this.way.here());
    return this.unsaid.get(here)?.drawn ?? this.#received(here);
  }

  /** The moments have changed: what has come back need not be sent again. */
  heard() {
    for (const [key, { drawn }] of this.unsaid)
      if (!this.session.leading || sameDrawing(this.#received(key), drawn)) this.unsaid.delete(key);
    this.show();
  }

  /** The connection is back: sends again what may have been lost. */
  again() {
    for (const { position, drawn } of this.unsaid.values()) this.#say(position, drawn);
  }

  /** @param {Position} position @param {Drawn} drawn */
  #say({ line, chapter, ...position }, drawn) {
    const more = { ...(line && { line }), ...(chapter && { chapter }) };
    this.session.say("draw", { ...position, ...more, ...drawn });
  }

  /** What would be suggested or cleared here. @returns {Drawn} */
  get editable() {
    return this.session.leading
      ? this.#shared()
      : (this.mine.get(keyOf(this.way.here())) ?? nothing());
  }

  /** @param {string} from @param {string} to */
  #drawn(from, to) {
    const { marks, arrows } = this.editable;
    const drawn = { marks: [...marks], arrows: [...arrows] };
    const [list, shape] = from === to ? [drawn.marks, from] : [drawn.arrows, `${from}>${to}`];
    if (list.includes(shape)) list.splice(list.indexOf(shape), 1);
    else if (list.length < MOST) list.push(shape);
    this.#put(drawn);
  }

  clear() {
    this.#put(nothing());
  }

  /** @param {Drawn} drawn */
  #put(drawn) {
    const position = this.way.here();
    if (this.session.leading) {
      this.unsaid.set(keyOf(position), { position, drawn });
      this.#say(position, drawn);
    } else this.mine.set(keyOf(position), drawn);
    this.show();
    this.way.changed();
  }

  /** Draws what belongs to the position under the cursor. */
  show() {
    const here = keyOf(this.way.here());
    const moments = [...this.session.moments.values()].filter((moment) => keyOf(moment) === here);
    const draft = this.unsaid.get(here);
    this.shapes.show(draft ? [...moments.filter(({ drawn }) => !drawn), draft.drawn] : moments);
    const mine = this.session.leading ? undefined : this.mine.get(here);
    this.own.show(mine ? [mine] : []);
  }
}

/** How often the pointer's place is taken, and how often it is sent, in ms. */
const STEP_MS = 80;
const SEND_MS = 400;
/** A pointer that has not moved for so long, in ms, fades. */
const FADE_MS = 2500;

/**
 * The leader's pointer on everyone's table. It is sent as the thing pointed at and the place on it,
 * since tables differ in size. Some of it may be lost.
 */
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
