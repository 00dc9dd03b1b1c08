/**
 * What the server knows of single rounds: chances, hands and cards' lives. Each is fetched once.
 * @typedef {import("api").RoundReport} RoundReport
 * @typedef {import("api").ChanceJson} Chance
 * @typedef {import("api").HandJson} Hand  spans: from, to, state (see `STATES`)
 * @typedef {RoundReport["lives"][string][number]} Stage  seq, t, place, seat, slot
 */

import { workedOutAt } from "../../games/dom/asking.js";

export class RoundData {
  /** @param {string} url of the match's analysis */
  constructor(url) {
    this.url = url;
    /** @type {Map<number, Promise<RoundReport>>} */
    this.known = new Map();
  }

  /** @param {number} round @returns {Promise<RoundReport>} */
  of(round) {
    const known = this.known.get(round);
    if (known) return known;
    const asked = workedOutAt(`${this.url}/${round}`);
    this.known.set(round, asked);
    asked.catch(() => this.known.delete(round));
    return asked;
  }
}

/** A view of one round: it follows the cursor's round while it is shown. */
export class RoundView {
  /**
   * @param {import("../../games/match/player.js").Player} player @param {RoundData} data
   * @param {HTMLElement} element @param {(report: RoundReport) => void} draw
   * @param {(words: string) => void} fail
   */
  constructor(player, data, element, draw, fail) {
    this.player = player;
    this.data = data;
    this.element = element;
    this.draw = draw;
    this.fail = fail;
    this.round = 0;
    player.onChange(() => this.follow());
  }

  /** Draws the cursor's round, unless it is drawn already or out of view. */
  async follow() {
    const { round } = this.player.cursor;
    if (round === this.round || !this.element.isConnected || this.element.closest("[hidden]"))
      return;
    this.round = round;
    try {
      const report = await this.data.of(round);
      if (this.round === round) this.draw(report);
    } catch (error) {
      if (this.round !== round) return;
      this.round = 0;
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }
}
