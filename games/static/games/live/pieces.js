/**
 * A live match by pieces: the frames that a socket would bring, asked for once a second, from
 * whichever cache has them (docs/reference/protocol.md). No DOM.
 *
 * - Lines that an answer lacks are fetched as pieces first.
 * - A cache's answers are up to some seconds old, not always equally. A frame's `now` is corrected
 *   by how much older it is than the freshest of the last answers.
 * - Once a minute it lets the site count it, or a sample of the crowd, and looks for a free socket.
 * @import { LatestFrame, LinesFrame } from "frames"
 * @import { World } from "./socket.js"
 */

import { askCaches } from "../dom/caches.js";

export const EVERY_MS = 1_000;
/** So many questions are a minute's. */
const MINUTE = 60;
/** How many of the last answers are compared, and the most that one can be older, in ms. */
const COMPARED = 8;
const MOST_LATE_MS = 2_000;
/** Lines that were missed are this old or older. */
const PAST_MS = 60_000;
const NOT_FOUND = 404;

/**
 * @typedef {object} Listeners
 * @property {() => void} leave there are no pieces, or there may be a free socket
 * @property {() => void} lost nothing answers
 * @property {() => void} over they are complete
 */

export class Pieces {
  /**
   * @param {string} url @param {import("./socket.js").LiveSocket} socket hears the frames
   * @param {World & {ask?: typeof askCaches}} world @param {Listeners} listeners
   */
  constructor(url, socket, world, listeners) {
    this.url = url;
    this.socket = socket;
    this.world = world;
    this.ask = world.ask ?? askCaches;
    this.listeners = listeners;
    this.closed = false;
    /** Whether the last answers were there. */
    this.live = false;
    this.failed = false;
    this.answered = 0;
    this.timer = /** @type {unknown} */ (null);
    /** The rounds' clock less this one's, as the last answers had it. @type {number[]} */
    this.leads = [];
    this.round = 0;
    this.#turn();
  }

  close() {
    this.closed = true;
    this.world.cancel(this.timer);
  }

  async #turn() {
    const begun = this.world.now();
    try {
      await this.#ask();
      this.failed = false;
    } catch {
      // Another process may take over meanwhile.
      if (!this.closed && (this.failed || !this.live)) {
        this.live = false;
        this.listeners.lost();
      }
      this.failed = true;
    }
    const left = Math.max(EVERY_MS - (this.world.now() - begun), 0);
    if (!this.closed) this.timer = this.world.later(left, () => this.#turn());
  }

  async #ask() {
    const { status, data } = await this.ask("GET", `${this.url}latest`);
    if (this.closed) return;
    if (status === NOT_FOUND) return this.listeners.leave();
    if (!data) throw new Error(`${status}`);
    await this.#take(data);
    if (this.closed) return;
    if (!data.over || this.socket.seq !== data.seq) return this.#count(data);
    this.close();
    this.listeners.over();
  }

  /** @param {LatestFrame} latest */
  async #take({ frames, deal, epoch, seq }) {
    const { socket } = this;
    if (!this.live) socket.begin(epoch, socket.seq ?? deal);
    this.live = true;
    const first = frames.find((frame) => frame.type === "lines")?.seq ?? seq;
    while ((socket.seq ?? 0) < first) {
      const { data } = await this.ask("GET", `${this.url}lines/${socket.seq}`, true);
      if (!data) throw new Error("a piece is missing");
      if (this.closed) return;
      socket.hear({ ...data, now: data.now + PAST_MS });
    }
    for (const frame of frames)
      socket.hear(
        frame.type === "lines" ? { ...frame, now: frame.now + this.#lateness(frame) } : frame,
      );
  }

  /** How much older a frame is than the freshest of the last ones, in ms. @param {LinesFrame} frame */
  #lateness({ round, now }) {
    if (round !== this.round) this.leads = [];
    this.round = round;
    const lead = now - this.world.now();
    this.leads = [...this.leads, lead].slice(-COMPARED);
    return Math.min(Math.max(...this.leads) - lead, MOST_LATE_MS);
  }

  /** @param {LatestFrame} latest */
  #count({ sample, room, frames }) {
    const minute = this.answered % MINUTE === 0;
    this.answered += 1;
    if (!minute) return;
    const { random } = this.world;
    if (random() * sample < 1) this.ask("POST", `${this.url}here`).catch(() => {});
    const state = frames.find((frame) => frame.type === "state");
    const watching = state?.type === "state" ? state.watching : 0;
    if (this.answered > 1 && random() * Math.max(watching, 1) < room) this.listeners.leave();
  }
}
