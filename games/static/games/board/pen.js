/** @import { Shapes } from "./shapes.js" */

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
