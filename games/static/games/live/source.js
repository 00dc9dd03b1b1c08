/**
 * The source of a growing log's lines: the match's socket, played out smoothly. While the socket is
 * down, the log is fetched if possible. The log is the same either way.
 * @typedef {import("../match/log.js").Log} Log
 * @import { ErrorFrame, ReviewErrorFrame, StateFrame } from "frames"
 * @import { ChatNews, Frame } from "./socket.js"
 * @import { Line } from "../match/fold.js"
 * @typedef {{url: string, key?: string, open?: boolean, clock?: import("../dom/clock.js").Clock,
 *   world?: import("./socket.js").World, more?: () => object}} Way `open`: the delayed view with
 *   open hands. `more`: further fields of the hello.
 * @typedef {{news: (news: StateFrame) => void, restarted?: () => void, chat?: (frame: ChatNews) => void,
 *   error?: (frame: ErrorFrame | ReviewErrorFrame) => void, heard?: (frame: Frame) => void,
 *   status?: (status: import("./socket.js").Status, why: string) => void}} Listeners `restarted`: lines have
 *   been removed. `heard`: every frame as it came.
 * @typedef {import("../dom/clock.js").Clock} Clock
 */

import { newKey } from "../dom/asking.js";
import { CLOCK } from "../dom/clock.js";
import { browserStorage, stored } from "../dom/storage.js";
import { LiveSocket } from "./socket.js";

const VIEWER = "ratuki.viewer";
let own = "";

/** All tabs of a browser count as one spectator. */
function viewer() {
  own ||= browserStorage().getItem(VIEWER) ?? newKey();
  stored(browserStorage(), VIEWER, own);
  return own;
}

/** How long the host collects events, plus network delay. */
export const BEHIND_MS = 400;

/**
 * Releases batched lines as smoothly as they happened: each as long after its `t` as recent batches
 * took to arrive, at most `BEHIND_MS`. Anything older, such as the start of a round on joining, is
 * released at once. A batch's `now` is when it was made, on the round's clock.
 * @template {object} Line those with a time have a `t`
 */
export class Playout {
  /**
   * @param {(seq: number, lines: Line[]) => void} out receives lines in order
   * @param {Clock} [clock]
   */
  constructor(out, clock = CLOCK) {
    this.out = out;
    this.clock = clock;
    /** @type {{at: number, seq: number, line: Line}[]} */
    this.waiting = [];
    this.turning = false;
  }

  /** @param {{seq: number, now: number, lines: Line[]}} batch */
  take({ seq, now, lines }) {
    const here = this.clock.now();
    let at = this.waiting.at(-1)?.at ?? -Infinity;
    lines.forEach((line, index) => {
      const { t = now } = /** @type {{t?: number}} */ (line);
      const age = Math.max(now - t, 0);
      at = Math.max(at, age > BEHIND_MS ? here : here + BEHIND_MS - age);
      this.waiting.push({ at, seq: seq + index, line });
    });
    this.#turn();
  }

  /** Drop what is waiting: other lines will replace it. */
  drop() {
    this.waiting = [];
  }

  /** @param {number} count */
  #let(count) {
    const due = this.waiting.splice(0, count);
    if (due.length)
      this.out(
        due[0].seq,
        due.map(({ line }) => line),
      );
  }

  #turn() {
    const here = this.clock.now();
    const later = this.waiting.findIndex(({ at }) => at > here);
    this.#let(later < 0 ? this.waiting.length : later);
    if (this.turning || !this.waiting.length) return;
    this.turning = true;
    this.clock.later(this.waiting[0].at - here, () => {
      this.turning = false;
      this.#turn();
    });
  }
}

export class LiveSource {
  /** @param {Log} log @param {Way} way @param {Listeners} listeners */
  constructor(log, way, listeners) {
    this.log = log;
    this.open = way.open ?? false;
    this.listeners = listeners;
    /** @type {Playout<Line>} */
    this.playout = new Playout((seq, lines) => {
      if (seq <= log.next) log.append({ seq, lines });
    }, way.clock);
    /** Whether lines arrive through the socket. */
    this.live = false;
    this.stopped = false;
    /** @type {Promise<void>} */
    this.filled = Promise.resolve();
    this.socket = new LiveSocket(
      way.url,
      {
        status: (status, why) => {
          this.live = status === "live";
          listeners.status?.(status, why);
        },
        restart: (seq) => this.#restart(seq),
        // Lines wait until earlier ones are fetched.
        lines: async (frame) => {
          this.filled = this.filled.then(() => this.#fill(frame.seq));
          await this.filled;
          if (!this.stopped) this.playout.take(frame);
        },
        state: (frame) => listeners.news(frame),
        chat: (frame) => listeners.chat?.(frame),
        error: (frame) => listeners.error?.(frame),
        heard: (frame) => listeners.heard?.(frame),
      },
      {
        ...{ key: way.key, open: way.open, world: way.world },
        more: () => ({ viewer: viewer(), ...way.more?.() }),
      },
    );
  }

  start() {
    this.socket.start();
  }

  stop() {
    this.stopped = true;
    this.socket.stop();
    this.playout.drop();
  }

  /**
   * The next line will be this one, a deal. A view with open hands replaces the lines already
   * known. Otherwise the lines in between are fetched, if possible.
   * @param {number} seq
   */
  #restart(seq) {
    this.playout.drop();
    if (!this.open && this.log.source) return;
    this.log.forgetFrom(seq);
    this.listeners.restarted?.();
  }

  /** Fetches the lines before a batch first. @param {number} seq */
  async #fill(seq) {
    const waiting = this.playout.waiting.length > 0;
    while (!waiting && this.log.next < seq) if (!(await this.log.grow())) return;
  }
}
