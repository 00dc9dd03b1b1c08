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
 *   status?: (status: import("./socket.js").Status) => void}} Listeners `restarted`: lines have
 *   been removed. `heard`: every frame as it came.
 */

import { Playout } from "./playout.js";
import { LiveSocket } from "./socket.js";

export class LiveSource {
  /** @param {Log} log @param {Way} way @param {Listeners} listeners */
  constructor(log, way, listeners) {
    this.log = log;
    this.open = way.open ?? false;
    this.listeners = listeners;
    /** @type {Playout<Line>} */
    this.playout = new Playout((seq, lines) => this.#append(seq, lines), way.clock);
    /** Whether lines arrive through the socket. */
    this.live = false;
    this.stopped = false;
    /** Lines wait until earlier ones are fetched. @type {Promise<void>} */
    this.filled = Promise.resolve();
    this.socket = new LiveSocket(
      way.url,
      {
        status: (status) => this.#status(status),
        restart: (seq) => this.#restart(seq),
        lines: (frame) => this.#take(frame),
        state: (frame) => listeners.news(frame),
        chat: (frame) => listeners.chat?.(frame),
        error: (frame) => listeners.error?.(frame),
        heard: (frame) => listeners.heard?.(frame),
      },
      { key: way.key, open: way.open, world: way.world, more: way.more },
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

  /** @param {import("./socket.js").Status} status */
  #status(status) {
    this.live = status === "live";
    this.listeners.status?.(status);
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

  /** @param {import("./socket.js").Lines} batch */
  async #take(batch) {
    this.filled = this.filled.then(() => this.#fill(batch.seq));
    await this.filled;
    if (!this.stopped) this.playout.take(batch);
  }

  /** Fetches the lines before a batch first. @param {number} seq */
  async #fill(seq) {
    const waiting = this.playout.waiting.length > 0;
    while (!waiting && this.log.next < seq) if (!(await this.log.grow())) return;
  }

  /** @param {number} seq @param {Line[]} lines */
  #append(seq, lines) {
    if (seq <= this.log.next) this.log.append({ seq, lines });
  }
}
