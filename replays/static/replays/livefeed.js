// @ts-check
/**
 * Where a log that still grows gets its lines from: the match's socket, played out smoothly.
 * While that is away the log is asked for by fetching. The log is the same either way.
 *
 * @typedef {import("./log.js").Log} Log
 * @typedef {{id: string, key: string, open_delay_ms: number}} Live
 * @typedef {{watching: number, phase: string}} News
 * @typedef {{url: string, open: boolean, clock?: import("../games/playout.js").Clock,
 *   world?: import("../games/socket.js").World}} Way
 *   `open`: the delayed view with open hands
 */

import { Playout } from "../games/playout.js";
import { LiveSocket } from "../games/socket.js";

export class LiveFeed {
  /**
   * @param {Log} log
   * @param {Live} live
   * @param {Way} way
   * @param {{news: (news: News) => void, anew: () => void}} tells `anew`: lines have been taken back
   */
  constructor(log, live, way, tells) {
    this.log = log;
    this.open = way.open;
    this.tells = tells;
    this.playout = new Playout((seq, lines) => this.#append(seq, lines), way.clock);
    /** Whether lines come by the socket. */
    this.live = false;
    /** Lines wait for the ones before them to be fetched. @type {Promise<void>} */
    this.filled = Promise.resolve();
    this.socket = new LiveSocket(
      way.url,
      {
        status: (status) => (this.live = status === "live"),
        restart: (seq) => this.#restart(seq),
        lines: (frame) => this.#take(/** @type {any} */ (frame)),
        state: (frame) => tells.news(/** @type {any} */ (frame)),
      },
      { key: live.key, open: way.open, world: way.world },
    );
  }

  start() {
    this.socket.start();
  }

  /** The next line is that one, a deal. Open hands take the place of what was known of them. @param {number} seq */
  #restart(seq) {
    this.playout.drop();
    if (!this.open) return;
    this.log.forgetFrom(seq);
    this.tells.anew();
  }

  /** @param {import("../games/playout.js").Batch} batch */
  async #take(batch) {
    this.filled = this.filled.then(() => this.#fill(batch.seq));
    await this.filled;
    this.playout.take(batch);
  }

  /** What lies before a batch is fetched first. @param {number} seq */
  async #fill(seq) {
    const waiting = this.playout.waiting.length > 0;
    while (!waiting && this.log.next < seq) if (!(await this.log.grow())) return;
  }

  /** @param {number} seq @param {any[]} lines */
  #append(seq, lines) {
    if (seq <= this.log.next) this.log.append({ seq, lines });
  }
}
