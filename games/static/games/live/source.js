/**
 * The source of a growing log's lines: the match's socket, played out smoothly, or, where there are
 * too many sockets, the same log by pieces. While the socket is down, the log is fetched if possible.
 * The log is the same either way.
 * @typedef {import("../match/log.js").Log} Log
 * @import { ErrorFrame, ReviewErrorFrame, StateFrame } from "frames"
 * @import { ChatNews, Frame, Status } from "./socket.js"
 * @import { Line } from "../match/fold.js"
 * @typedef {{url: string, pieces?: string, shares?: boolean, key?: string, open?: boolean,
 *   world?: import("./socket.js").World,
 *   more?: () => object}} Way `pieces`: the address of the pieces, to begin with them. `shares`:
 *   whether it gives up its socket for pieces. `open`: the delayed view with open hands. `more`:
 *   further fields of the hello.
 * @typedef {{news: (news: StateFrame) => void, restarted?: () => void, chat?: (frame: ChatNews) => void,
 *   error?: (frame: ErrorFrame | ReviewErrorFrame) => void, heard?: (frame: Frame) => void,
 *   status?: (status: import("./socket.js").Status, why: string) => void}} Listeners `restarted`: lines have
 *   been removed. `heard`: every frame as it came. `status`: live by pieces has the reason `pieces`.
 * @typedef {import("../dom/clock.js").Clock} Clock
 */

import { newKey } from "../dom/asking.js";
import { browserStorage, stored } from "../dom/storage.js";
import { Pieces } from "./pieces.js";
import { BROWSER, LiveSocket } from "./socket.js";

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
/** The same by pieces: caches keep answers for up to two seconds, and are asked once a second. */
export const BEHIND_BY_PIECES_MS = 3_000;
/** How long a free socket is waited for after pieces: it may be on a process that is a bit behind. */
const SETTLE_MS = 1_000;
/** The most, where one process knows of no pieces and another has no socket. */
const LONGEST_SETTLE_MS = 60_000;
/** Lines that catch up with a shorter delay follow each other in this share of their time. */
const HASTE = 0.75;

/**
 * Releases batched lines as smoothly as they happened: each as long after its `t` as recent batches
 * took to arrive, at most `behind`. Anything older, such as the start of a round on joining, is
 * released at once, but never in a crowd behind a line that still waits. A batch's `now` is when it
 * was made, on the round's clock.
 * @template {object} Line those with a time have a `t`
 */
export class Playout {
  /**
   * @param {(seq: number, lines: Line[]) => void} out receives lines in order
   * @param {Clock} clock
   */
  constructor(out, clock) {
    this.out = out;
    this.clock = clock;
    /** @type {{at: number, seq: number, line: Line}[]} */
    this.waiting = [];
    this.turning = false;
    /** How late lines are shown, in ms. */
    this.behind = BEHIND_MS;
    /** The `t` of the last line. */
    this.t = 0;
  }

  /** @param {{seq: number, now: number, lines: Line[]}} batch */
  take({ seq, now, lines }) {
    const here = this.clock.now();
    let at = this.waiting.at(-1)?.at ?? -Infinity;
    // Only lines that were to be shown later than these may be.
    const waits = at > here + this.behind;
    lines.forEach((line, index) => {
      const { t = "decks" in line ? 0 : now } = /** @type {{t?: number}} */ (line);
      const age = Math.max(now - t, 0);
      const due = age > this.behind ? here : here + this.behind - age;
      const apart = waits ? Math.max(t - this.t, 0) * HASTE : 0;
      at = Math.max(at + apart, due);
      this.t = t;
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
    this.way = way;
    this.open = way.open ?? false;
    this.listeners = listeners;
    const world = way.world ?? BROWSER;
    this.world = world;
    this.begun = false;
    /** @type {Playout<Line>} */
    this.playout = new Playout((seq, lines) => {
      if (seq <= log.next) log.append({ seq, lines });
    }, world);
    /** Whether lines arrive by themselves. */
    this.live = false;
    this.stopped = false;
    /** The address of the pieces that it follows, or goes back to where it is trying a socket. */
    this.pieces = way.pieces ?? "";
    /** What it follows by pieces. null while it tries a socket. @type {Pieces | null} */
    this.crowd = null;
    /** How often it has tried a socket since it last heard of the table. */
    this.tries = 0;
    /** Whether it has heard of the table since it is live. */
    this.informed = false;
    /** @type {Promise<void>} */
    this.filled = Promise.resolve();
    this.socket = new LiveSocket(
      way.url,
      {
        status: (status, why) => this.#socketIs(status, why),
        crowded: (url) => this.#follow(url),
        restart: (seq) => this.#restart(seq),
        // Lines wait until earlier ones are fetched.
        lines: async (frame) => {
          this.filled = this.filled.then(() => this.#fill(frame.seq));
          await this.filled;
          if (!this.stopped) this.playout.take(frame);
        },
        state: (frame) => this.#inform(frame),
        chat: (frame) => listeners.chat?.(frame),
        error: (frame) => listeners.error?.(frame),
        heard: (frame) => listeners.heard?.(frame),
      },
      {
        ...{ key: way.key, open: way.open, world },
        more: () => ({ viewer: viewer(), ...(way.shares && { pieces: true }), ...way.more?.() }),
      },
    );
  }

  start() {
    if (this.pieces && !this.begun) this.#follow(this.pieces);
    else this.socket.start();
    this.begun = true;
  }

  stop() {
    this.stopped = true;
    this.crowd?.close();
    this.socket.stop();
    this.playout.drop();
  }

  /** How late it shows the match by its own choice, in ms. */
  get behind() {
    return this.pieces ? this.playout.behind : 0;
  }

  /** In place of the socket. @param {string} pieces their address */
  #follow(pieces) {
    const { socket, log, world } = this;
    this.pieces = pieces;
    this.playout.behind = BEHIND_BY_PIECES_MS;
    socket.pause();
    socket.seq ??= log.source ? log.next : null;
    this.crowd?.close();
    this.crowd = new Pieces(pieces, socket, world, {
      leave: () => this.#trySocket(),
      lost: () => this.#become("away", ""),
      over: () => this.#become("closed", "done"),
    });
  }

  /** Where there are no pieces, or no longer, or there may be a free socket. */
  #trySocket() {
    const wait = Math.min(SETTLE_MS * 2 ** this.tries, LONGEST_SETTLE_MS);
    this.crowd?.close();
    this.crowd = null;
    this.world.later(this.live || this.tries ? wait : 0, () => this.socket.resume());
    this.tries += 1;
    if (this.tries > 2) this.#become("away", "");
  }

  /** A socket that is only tried is no news. @param {Status} status @param {string} why */
  #socketIs(status, why) {
    if (this.pieces && status === "connecting") return;
    if (this.crowd) return this.#become(status, "pieces");
    if (this.pieces && status === "away") return this.#follow(this.pieces);
    this.pieces = "";
    this.playout.behind = BEHIND_MS;
    this.#become(status, why);
  }

  /** @param {Status} status @param {string} why */
  #become(status, why) {
    this.live = status === "live";
    this.informed = false;
    this.listeners.status?.(status, why);
  }

  /** What is said of the table waits as long as its lines do. @param {StateFrame} frame */
  #inform(frame) {
    const { pieces } = this;
    const show = () => this.pieces === pieces && this.listeners.news(frame);
    if (pieces && this.informed) this.world.later(this.playout.behind, show);
    else show();
    this.informed = true;
    this.tries = 0;
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
