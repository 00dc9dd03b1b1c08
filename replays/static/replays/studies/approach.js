/**
 * The way to a question: the match plays up to its stop, and then time counts. A learner who stops
 * it on the way is taken to the question. For one who has been there before, the time has gone on:
 * no one gets time to think that is not counted. No DOM.
 * @typedef {{round: number, event: number}} Moment
 * @typedef {{timed: boolean, limit_ms: number | null}} Pace `limit_ms` null: as long as the player
 *   took, which only the verdict reveals.
 */

import { clock, seconds } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

const MINUTE = 60_000;

export class Approach {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {Moment} moment the stop
   * @param {{passed: number | null, arrived: () => void, now?: () => number}} how `passed`: ms
   *   since play came to the stop before, by the server's clock. null: it never has.
   */
  constructor(player, moment, { passed, arrived, now = () => performance.now() }) {
    this.player = player;
    this.moment = moment;
    this.arrived = arrived;
    this.now = now;
    /** When play came to the stop, if it has. */
    this.since = passed === null ? null : now() - passed;
    this.there = false;
    this.onTheWay = false;
  }

  /** How long the learner has had, in ms. */
  get ms() {
    return this.since === null ? 0 : Math.round(this.now() - this.since);
  }

  start() {
    this.player.onChange(() => this.#moved());
    this.player.onState(() => {
      if (this.onTheWay && !this.player.playing) this.goOn();
    });
    this.#moved();
    if (this.there) return;
    if (this.since !== null) {
      this.goOn();
      return;
    }
    this.player.play();
    this.onTheWay = true;
  }

  /** To the question, without the rest of the way. */
  async goOn() {
    this.onTheWay = false;
    this.player.pause();
    const { round, event } = this.moment;
    // The page may still be on its way to where it opens.
    if (!(await this.player.goTo({ round, event }))) await this.player.goTo({ round, event });
  }

  #moved() {
    const { cursor, table } = this.player;
    const { round, event } = this.moment;
    if (this.there || cursor.round !== round || cursor.event < event || !table) return;
    if (cursor.event > event) {
      this.goOn(); // the log goes on, and a frame has gone past the stop
      return;
    }
    this.there = true;
    this.onTheWay = false;
    this.since ??= this.now();
    this.player.pause();
    this.arrived();
  }
}

/** How long there is, where only the match tells. @param {Pace} pace */
export const paceWords = ({ timed, limit_ms }) =>
  timed && limit_ms === null ? gettext("You have as long as in the match.") : "";

/** The clock: what is left, or what has gone where the limit is not known. @param {number} ms @param {Pace} pace */
export function clockWords(ms, pace) {
  const { timed, limit_ms } = pace;
  if (!timed) return gettext("Take your time");
  if (limit_ms === null) return clock(ms);
  if (isOver(ms, pace)) return gettext("Time is up");
  const left = limit_ms - ms;
  const time = left < MINUTE ? seconds(left) : clock(left);
  return left > 0 ? gettext("{time} left", { time }) : gettext("Late: try anyway");
}

/** A question is asked for so long at least: who is late may still find the play. */
const ASKED_MS = 10_000;

/** Whether it ends by itself. @param {number} ms @param {Pace} pace */
export const isOver = (ms, { limit_ms }) => limit_ms !== null && ms > Math.max(limit_ms, ASKED_MS);

/**
 * `send` for requests that the server must handle in the order in which they were made: each
 * leaves when the one before is answered.
 * @template {unknown[]} Sent
 * @template Answer
 * @param {(...sent: Sent) => Promise<Answer>} send  never rejects
 */
export function inOrder(send) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (/** @type {Sent} */ ...sent) => {
    const answer = last.then(() => send(...sent));
    last = answer;
    return answer;
  };
}
