// @ts-check
/**
 * The slider over the whole match: rounds side by side, as long as they lasted, with a strip of
 * how much happened and marks for takes, ties, late tries, notes and round ends.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {{round: Round, from: number, width: number}} Stretch  px
 */

import { box, write } from "../../games/dom/elements.js";
import { clock, counted } from "../../games/match/words.js";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 52;
const GAP = 4;
const BUCKET = 3;
const LANE = { marks: 13, density: 41 };

/** @param {string} kind */
function path(kind) {
  const element = document.createElementNS(SVG, "path");
  element.setAttribute("class", kind);
  return element;
}

export class Scrubber {
  /** @param {HTMLElement} root @param {Player} player */
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.width = 0;
    /** @type {Stretch[]} */
    this.stretches = [];
    this.drawn = "";
    this.track = box("div", "scrub-track");
    this.thumb = box("div", "scrub-thumb");
    this.hint = box("output", "scrub-hint");
    this.svg = document.createElementNS(SVG, "svg");
    this.#build();
    this.#listen();
    new ResizeObserver(() => this.#resized()).observe(this.track);
    player.onChange(() => this.moved());
    player.log.onGrow(() => this.draw());
  }

  #build() {
    this.hint.setAttribute("aria-hidden", "true");
    this.svg.setAttribute("aria-hidden", "true");
    this.track.append(this.svg, this.thumb, this.hint);
    this.root.append(this.track);
    const labels = {
      role: "slider",
      tabindex: "0",
      "aria-label": "Place in the match",
      "aria-valuemin": "0",
    };
    for (const [name, value] of Object.entries(labels)) this.track.setAttribute(name, value);
  }

  #resized() {
    this.width = this.track.clientWidth;
    this.draw();
  }

  /** Rounds side by side; a round that has hardly begun is still wide enough to be hit. */
  #layOut() {
    const rounds = this.player.log.rounds;
    const room = Math.max(this.width - GAP * (rounds.length - 1), 1);
    const lengths = rounds.map((round) => Math.max(round.duration, 1000));
    const sum = lengths.reduce((total, length) => total + length, 0);
    let from = 0;
    this.stretches = rounds.map((round, at) => {
      const width = (room * lengths[at]) / sum;
      const stretch = { round, from, width };
      from += width + GAP;
      return stretch;
    });
  }

  /** @param {Stretch} stretch @param {number} t */
  #x({ round, from, width }, t) {
    return from + (width * t) / Math.max(round.duration, 1000);
  }

  draw() {
    if (!this.width) return;
    this.#layOut();
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.svg.replaceChildren(...this.#rounds(), this.#density(), ...this.#marks());
    this.moved();
  }

  #rounds() {
    return this.stretches.flatMap(({ round, from, width }) => {
      const rect = document.createElementNS(SVG, "rect");
      const shape = {
        x: from,
        y: 4,
        width: Math.max(width, 1),
        height: HEIGHT - 8,
        rx: 4,
        class: "scrub-round",
      };
      for (const [name, value] of Object.entries(shape)) rect.setAttribute(name, String(value));
      return width < 18 ? [rect] : [rect, this.#number(round.number, from)];
    });
  }

  /** @param {number} number @param {number} x */
  #number(number, x) {
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("class", "scrub-number");
    text.setAttribute("x", String(x + 5));
    text.setAttribute("y", String(HEIGHT - 9));
    text.textContent = String(number);
    return text;
  }

  /** How many events fall on each few pixels. */
  #density() {
    const strip = path("scrub-density");
    const counts = new Float64Array(Math.ceil(this.width / BUCKET) + 1);
    for (const stretch of this.stretches) {
      for (const event of stretch.round.events)
        counts[Math.floor(this.#x(stretch, event.t) / BUCKET)] += 1;
    }
    const most = Math.max(...counts, 1);
    const bars = Array.from(counts, (count, at) =>
      count ? `M${at * BUCKET + BUCKET / 2} ${LANE.density}v${-(count / most) * 24}` : "",
    );
    strip.setAttribute("d", bars.join(""));
    return strip;
  }

  #marks() {
    /** @type {Map<string, string>} */
    const paths = new Map();
    /** @param {string} kind @param {string} d */
    const add = (kind, d) => paths.set(kind, (paths.get(kind) ?? "") + d);
    for (const stretch of this.stretches) {
      this.#eventMarks(stretch, add);
      if (stretch.round.finished)
        add("scrub-end", `M${stretch.from + stretch.width} 4v${HEIGHT - 8}`);
    }
    for (const note of this.player.log.notes) {
      const stretch = this.stretches[note.round - 1];
      const t = stretch?.round.events[note.event - 1]?.t ?? 0;
      if (stretch) add("scrub-note", `M${this.#x(stretch, t)} ${HEIGHT - 7}l-4.5 7h9Z`);
    }
    return Array.from(paths, ([kind, d]) => {
      const element = path(kind);
      element.setAttribute("d", d);
      return element;
    });
  }

  /** @param {Stretch} stretch @param {(kind: string, d: string) => void} add */
  #eventMarks(stretch, add) {
    const { events } = stretch.round;
    const { takes = [], races = [] } = stretch.round.timeline ?? {};
    for (const number of takes) {
      const event = events[number - 1];
      if (event.do === "play")
        add(`scrub-take deck-${event.seat}`, `M${this.#x(stretch, event.t)} 6v${LANE.marks}`);
    }
    for (const number of races) {
      const event = events[number - 1];
      const x = this.#x(stretch, event.t);
      if (event.do === "tie") add("scrub-tie", `M${x - 3.5} 22l7 7m0-7l-7 7`);
      else add("scrub-late", `M${x} 23a2.5 2.5 0 1 0 .01 0`);
    }
  }

  /** Puts the thumb where the cursor is. */
  moved() {
    const { cursor } = this.player;
    const stretch = this.stretches[cursor.round - 1];
    if (!stretch) return;
    const x = Math.min(this.#x(stretch, cursor.t), stretch.from + stretch.width);
    this.thumb.style.setProperty("transform", `translateX(${x}px)`);
    this.#describe(stretch.round);
  }

  /** @param {Round} round */
  #describe(round) {
    const { cursor, log, playing } = this.player;
    const before = log.rounds
      .slice(0, cursor.round - 1)
      .reduce((sum, each) => sum + each.duration, 0);
    const all = log.rounds.reduce((sum, each) => sum + each.duration, 0);
    const time = `${clock(cursor.t)} of ${clock(round.duration)}`;
    const place = `Round ${cursor.round} of ${log.rounds.length}`;
    const said = `${place}, ${time}, ${counted(cursor.event, "event")}`;
    if (playing && document.activeElement === this.track) return;
    this.track.setAttribute("aria-valuemax", String(Math.round(all)));
    this.track.setAttribute("aria-valuenow", String(Math.round(before + cursor.t)));
    this.track.setAttribute("aria-valuetext", said);
  }

  /** The place under a pointer. @param {PointerEvent} event */
  #place(event) {
    const x = event.clientX - this.track.getBoundingClientRect().left;
    const stretch =
      this.stretches.findLast((each) => each.from <= Math.max(x, 0)) ?? this.stretches[0];
    const share = Math.min(Math.max((x - stretch.from) / stretch.width, 0), 1);
    return { x, round: stretch.round.number, t: share * Math.max(stretch.round.duration, 1000) };
  }

  #listen() {
    const { track } = this;
    let waiting = false;
    /** @param {PointerEvent} event */
    const go = (event) => {
      const place = this.#place(event);
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.player.goTo({ round: place.round, t: place.t });
      });
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button || !this.stretches.length) return;
      track.setPointerCapture(event.pointerId);
      this.player.pause();
      go(event);
    });
    track.addEventListener("pointermove", (event) => {
      if (!this.stretches.length) return;
      this.#hint(event);
      if (track.hasPointerCapture(event.pointerId)) go(event);
    });
    track.addEventListener("pointerleave", () => track.classList.remove("is-hinting"));
    track.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {PointerEvent} event */
  #hint(event) {
    const { x, round, t } = this.#place(event);
    const { hint } = this;
    write(hint, `Round ${round} · ${clock(t)}`);
    const edge = hint.offsetWidth / 2;
    hint.style.setProperty(
      "transform",
      `translateX(calc(${Math.min(Math.max(x, edge), this.width - edge)}px - 50%))`,
    );
    this.track.classList.add("is-hinting");
  }

  /** Beside the page's own keys, those that a slider has. @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, number>} */ ({
      PageUp: 10000,
      PageDown: -10000,
      ArrowUp: 1000,
      ArrowDown: -1000,
    });
    const ms = steps[event.key];
    if (!ms || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.player.stepTime(ms);
  }
}
