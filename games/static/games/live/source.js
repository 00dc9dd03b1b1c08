// @ts-check
/**
 * Where a log that still grows gets its lines from: the match's socket, played out smoothly.
 * While that is away the log is asked for by fetching. The log is the same either way.
 *
 * @typedef {import("../match/log.js").Log} Log
 * @typedef {{id: string, key: string, open_delay_ms: number, chat?: boolean}} Live
 * @typedef {{watching: number, watchers: string[], phase: string, seats: {says?: string | null}[]}} News
 * @typedef {{url: string, open: boolean, clock?: import("./playout.js").Clock,
 *   world?: import("./socket.js").World, more?: () => object}} Way
 *   `open`: the delayed view with open hands; `more`: what the hello says besides
 * @typedef {import("./socket.js").Frame} Frame
 * @typedef {{news: (news: News) => void, anew: () => void, chat?: (frame: Frame) => void,
 *   error?: (frame: Frame) => void, closed?: () => void}} Tells  `anew`: lines have been taken back
 */

import { Playout } from "./playout.js";
import { LiveSocket } from "./socket.js";

export class LiveSource {
  /**
   * @param {Log} log
   * @param {Live} live
   * @param {Way} way
   * @param {Tells} tells
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
        status: (status) => this.#status(status),
        restart: (seq) => this.#restart(seq),
        lines: (frame) => this.#take(/** @type {any} */ (frame)),
        state: (frame) => tells.news(/** @type {any} */ (frame)),
        chat: (frame) => tells.chat?.(frame),
        error: (frame) => tells.error?.(frame),
      },
      { key: live.key, open: way.open, world: way.world, more: way.more },
    );
  }

  start() {
    this.socket.start();
  }

  /** @param {import("./socket.js").Status} status */
  #status(status) {
    this.live = status === "live";
    if (status === "closed") this.tells.closed?.();
  }

  /** The next line is that one, a deal. Open hands take the place of what was known of them. @param {number} seq */
  #restart(seq) {
    this.playout.drop();
    if (!this.open) return;
    this.log.forgetFrom(seq);
    this.tells.anew();
  }

  /** @param {import("./playout.js").Batch} batch */
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
