/**
 * The drawings in a review: the leader's, which everyone sees, and the viewer's own. Each belongs
 * to its position and is shown whenever the cursor is there.
 * @typedef {import("./session.js").ReviewSession} Session
 * @typedef {{marks: string[], arrows: string[]}} Drawn
 * @typedef {{round: number, event: number, line: string, chapter: number}} Position
 * @typedef {{position: Position, drawn: Drawn}} Draft
 */

import { Pen } from "../../games/board/pen.js";
import { Shapes } from "../../games/board/shapes.js";

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
    this.pen = new Pen(
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
    const here = keyOf(this.way.here());
    if (!this.session.leading) return this.mine.get(here) ?? nothing();
    return this.unsaid.get(here)?.drawn ?? this.#received(here);
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
