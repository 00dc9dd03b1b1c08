/**
 * What the server says of a play made differently. Of all that is asked for one place on the page,
 * only the answer to the latest is shown there. No DOM.
 * @typedef {import("../jobs/progress.js").Job} Job
 * @typedef {import("api").Outcome} TrialResult
 *   `rollout_ms`: what one rollout costs, both ways, in ms of CPU; `cut_ms`: how long it lasts,
 *   null: to the round's end
 * @typedef {{round: number, event: number, seat: number}} Where
 * @typedef {{ms?: number, card?: string, stack?: number, skip?: boolean}} Change
 * @import { AskedTrial, Options, Outcome, TrialComing } from "api"
 * @typedef {(body: AskedTrial) => Promise<Options | Outcome | TrialComing>} Send
 * @typedef {{found: TrialResult} | {error: string}} Answer
 */

import { ask, inTurn } from "../../games/dom/asking.js";
import { later } from "../../games/dom/clock.js";
import { AGAIN_MS, active } from "../jobs/progress.js";

/** Sends questions to an address. @param {string} url @returns {Send} */
export const sender = (url) => (body) =>
  inTurn(async () => {
    /** @type {import("../../games/dom/asking.js").Response<Options | Outcome | TrialComing>} */
    const { ok, data } = await ask("POST", url, body);
    if (!ok) throw new Error(data.detail);
    return data;
  });

export class TrialAnswers {
  /** @param {Send} send @param {(ms: number, run: () => void) => void} [wait] */
  constructor(send, wait = later) {
    this.send = send;
    this.later = wait;
    /** What was asked for last, by its place. @type {WeakMap<object, object>} */
    this.latest = new WeakMap();
  }

  /** No answer to what was asked for a place is shown there any more. @param {object} place */
  forget(place) {
    this.latest.delete(place);
  }

  /**
   * The answer to a question; null if something else was asked for its place meanwhile.
   * @param {object} place @param {Where & Change} body
   */
  async first(place, body) {
    const wish = {};
    this.latest.set(place, wish);
    return this.#wanted(place, wish, this.send(body));
  }

  /**
   * A surer answer to what was asked for a place last, from so many rollouts, which a worker plays.
   * @param {object} place @param {Where & Change & {rollouts: number}} body
   * @param {(job: Job) => void} tell how far it is
   */
  async surer(place, body, tell) {
    return this.#wanted(place, this.latest.get(place), this.#worked(body, tell));
  }

  /** @param {AskedTrial} body @param {(job: Job) => void} tell
   * @returns {Promise<Options | Outcome>} */
  async #worked(body, tell) {
    for (;;) {
      const response = await this.send(body);
      if (!("job" in response)) return response;
      tell(response.job);
      if (!active(response.job)) throw new Error(response.job.error || "it was cancelled");
      await new Promise((resolve) => this.later(AGAIN_MS, () => resolve(null)));
    }
  }

  /**
   * @param {object} place @param {object | undefined} wish @param {Promise<Options | Outcome | TrialComing>} coming
   * @returns {Promise<Answer | null>}
   */
  async #wanted(place, wish, coming) {
    /** @type {Answer} */
    const answer = await coming.then(
      (result) => ({ found: /** @type {TrialResult} */ (result) }),
      (error) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    return this.latest.get(place) === wish ? answer : null;
  }
}
