/**
 * A live match by pieces: the same frames as on a socket, asked for once a second, from whichever
 * cache has them (docs/reference/protocol.md). No DOM.
 *
 * - Lines are passed on in order of seq, each once. Those between are fetched as pieces.
 * - A cache's answers are up to some seconds old, not always equally. A frame's `now` is corrected
 *   by how much older it is than the freshest of the last answers.
 * - Once a minute it lets the site count it, or a sample of the crowd, and looks for a free socket.
 * @import { LatestFrame, LinesFrame } from "frames"
 * @import { Line } from "../match/fold.js"
 * @import { Frame, Listener, Status, World } from "./socket.js"
 * @typedef {Pick<Listener, "status" | "restart" | "lines" | "state" | "heard">
 *   & {none: () => void, room: () => void}} Ears  `none`: there are no pieces, or no
 *   longer. `room`: there may be a free socket
 */

import { askCaches } from "../dom/caches.js";
import { BROWSER } from "./socket.js";

export const EVERY_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
/** So many questions are a minute's. */
const MINUTE = 60;
/** How many of the last answers are compared, and the most that one can be older, in ms. */
const COMPARED = 8;
const MOST_LATE_MS = 2_000;
/** Lines that were missed are this old or older. */
const PAST_MS = 60_000;
const NOT_FOUND = 404;

export class Pieces {
  /**
   * @param {string} url @param {Ears} ears
   * @param {{seq?: number | null, epoch?: number | null, world?: Partial<World & {ask: typeof askCaches}>}} [options] `seq`:
   *   the first line wanted, by default the deal of the current round
   */
  constructor(url, ears, { seq = null, epoch = null, world = {} } = {}) {
    this.url = url;
    this.ears = ears;
    this.world = { ...BROWSER, ask: askCaches, ...world };
    this.seq = seq;
    this.epoch = epoch;
    this.answered = 0;
    this.failed = 0;
    this.over = false;
    this.status = "";
    this.timer = /** @type {unknown} */ (null);
    /** The rounds' clock less this one's, as the last answers had it. @type {number[]} */
    this.leads = [];
    this.round = 0;
    /** Which start it is, 0: stopped. Answers to earlier ones are out of date. */
    this.run = 0;
    this.runs = 0;
  }

  start() {
    if (this.run || this.over) return;
    this.run = ++this.runs;
    this.#turn(this.run);
  }

  stop() {
    this.run = 0;
    this.world.cancel(this.timer);
  }

  /** @param {number} run */
  async #turn(run) {
    const begun = this.world.now();
    let wait = EVERY_MS;
    try {
      await this.#ask(run);
      this.failed = 0;
    } catch {
      this.failed += 1;
      // Another process may take over meanwhile.
      if (this.failed > 1 && this.run === run) this.#become("away", "");
      const longer = Math.min(EVERY_MS * 2 ** (this.failed - 1), LONGEST_WAIT_MS);
      wait = longer * (0.5 + this.world.random());
    }
    const left = Math.max(wait - (this.world.now() - begun), 0);
    if (this.run === run) this.timer = this.world.later(left, () => this.#turn(run));
  }

  /** @param {number} run */
  async #ask(run) {
    const { status, data } = await this.world.ask("GET", `${this.url}latest`);
    if (this.run !== run) return;
    if (status === NOT_FOUND) {
      this.stop();
      this.ears.none();
      return;
    }
    if (!data) throw new Error(`${status}`);
    await this.#take(data, run);
    if (this.run !== run) return;
    this.over = data.over && this.seq === data.seq;
    if (this.over) {
      this.stop();
      this.#become("closed", "done");
    } else this.#count(data);
  }

  /** @param {Status} status @param {string} why */
  #become(status, why) {
    if (this.status !== status) this.ears.status?.(status, why);
    this.status = status;
  }

  /** @param {LatestFrame} latest @param {number} run */
  async #take(latest, run) {
    const { frames, deal } = latest;
    this.epoch = Math.max(this.epoch ?? 0, latest.epoch);
    if (this.seq === null) {
      this.seq = deal;
      this.ears.restart?.(deal);
    }
    const first = frames.find((frame) => frame.type === "lines");
    await this.#fill(first?.seq ?? latest.seq, run);
    if (this.run !== run) return;
    this.#become("live", "pieces");
    for (const frame of frames)
      if (frame.type === "lines") this.#lines(frame, this.#lateness(frame));
      else {
        this.ears.heard?.(frame);
        this.ears.state?.(frame);
      }
  }

  /** Fetches the lines before a seq. @param {number} end @param {number} run */
  async #fill(end, run) {
    while (this.seq !== null && this.seq < end) {
      const { data } = await this.world.ask("GET", `${this.url}lines/${this.seq}`, true);
      if (!data) throw new Error("a piece is missing");
      if (this.run !== run) return;
      this.#lines(data, PAST_MS);
    }
  }

  /** @param {LinesFrame} frame @param {number} late ms */
  #lines({ before, ...frame }, late) {
    const known = (this.seq ?? frame.seq) - frame.seq;
    const lines = /** @type {Line[]} */ (frame.lines.slice(known));
    if (!lines.length) return;
    const seq = frame.seq + known;
    this.seq = seq + lines.length;
    const news = { ...frame, ...(before && !known && { before }), seq, lines };
    this.ears.heard?.(/** @type {Frame} */ (news));
    this.ears.lines?.({ ...news, now: frame.now + late });
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
    if (random() * sample < 1) this.world.ask("POST", `${this.url}here`).catch(() => {});
    const state = frames.find((frame) => frame.type === "state");
    const watching = state?.type === "state" ? state.watching : 0;
    if (this.answered > 1 && random() * Math.max(watching, 1) < room) this.ears.room();
  }
}
