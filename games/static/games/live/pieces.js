/**
 * A live match by pieces, in place of a `WebSocket`: the frames that a socket would bring, asked for
 * once a second, from whichever cache has them (docs/reference/protocol.md). No DOM.
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
const LOST = { code: 1006, reason: "" };
const DONE = { code: 1000, reason: "done" };

export class Pieces {
  /**
   * @param {string} url @param {World & {ask?: typeof askCaches}} world
   * @param {() => void} leave called when there are no pieces, or may be a free socket
   * @param {number | null} seq the first line wanted, by default the deal of the current round
   */
  constructor(url, world, leave, seq) {
    this.url = url;
    this.world = world;
    this.ask = world.ask ?? askCaches;
    this.leave = leave;
    this.seq = seq;
    /** Nothing can be sent. */
    this.readyState = 0;
    this.onmessage = (/** @type {{data: string}} */ _message) => {};
    this.onclose = (/** @type {{code: number, reason: string}} */ _event) => {};
    this.closed = false;
    this.answered = 0;
    this.failed = false;
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

  /** @param {{code: number, reason: string}} event */
  #end(event) {
    this.close();
    this.onclose(event);
  }

  async #turn() {
    const begun = this.world.now();
    try {
      await this.#ask();
      this.failed = false;
    } catch {
      // Another process may take over meanwhile.
      if (!this.closed && (this.failed || !this.answered)) this.#end(LOST);
      this.failed = true;
    }
    const left = Math.max(EVERY_MS - (this.world.now() - begun), 0);
    if (!this.closed) this.timer = this.world.later(left, () => this.#turn());
  }

  async #ask() {
    const { status, data } = await this.ask("GET", `${this.url}latest`);
    if (this.closed) return;
    if (status === NOT_FOUND) {
      this.leave();
      return;
    }
    if (!data) throw new Error(`${status}`);
    await this.#take(data);
    if (this.closed) return;
    if (data.over && this.seq === data.seq) this.#end(DONE);
    else this.#count(data);
  }

  /** @param {LatestFrame} latest */
  async #take({ frames, deal, epoch, seq }) {
    this.seq ??= deal;
    const first = frames.find((frame) => frame.type === "lines")?.seq ?? seq;
    if (!this.answered) this.#pass({ type: "welcome", epoch, seat: null, seq: this.seq });
    while (this.seq < first) {
      const { data } = await this.ask("GET", `${this.url}lines/${this.seq}`, true);
      if (!data) throw new Error("a piece is missing");
      if (this.closed) return;
      this.#lines(data, PAST_MS);
    }
    for (const frame of frames)
      if (frame.type === "lines") this.#lines(frame, this.#lateness(frame));
      else this.#pass(frame);
  }

  /** @param {object} frame */
  #pass(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }

  /** Passes on lines that are new. @param {LinesFrame} frame @param {number} late ms */
  #lines({ before, ...frame }, late) {
    const known = (this.seq ?? frame.seq) - frame.seq;
    const lines = frame.lines.slice(known);
    if (!lines.length) return;
    const seq = frame.seq + known;
    this.seq = seq + lines.length;
    this.#pass({
      ...frame,
      ...(before && !known && { before }),
      seq,
      lines,
      now: frame.now + late,
    });
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
    if (this.answered > 1 && random() * Math.max(watching, 1) < room) this.leave();
  }
}
