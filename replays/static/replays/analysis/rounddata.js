// @ts-check
/**
 * What the server knows of single rounds: chances, hands and cards' lives. Each is fetched once.
 *
 * @typedef {{seat: number, card: string, slot: number, from: number, shown: number, to: number,
 *   end: string, takes: boolean, missed: boolean, cards: number, taker: number | null,
 *   busy_ms: number, free_ms: number, cause: string}} Chance
 * @typedef {{spans: [number, number, number][], unseen_ms: number, busy_ms: number,
 *   free_ms: number, missed_takes: number}} Hand  spans: from, to, state (see `STATES`)
 * @typedef {[number, number, string, number, number | null]} Stage  seq, t, place, seat, slot
 * @typedef {{round: number, duration_ms: number, chances: Chance[], hands: Hand[],
 *   lives: Record<string, Stage[]>, left_out: number}} RoundReport
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

/**
 * A view of one round: it follows the cursor's round while it is shown.
 */
export class RoundView {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {RoundData} data
   * @param {HTMLElement} element
   * @param {(report: RoundReport) => void} draw
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

  /** Draws the cursor's round, unless it is drawn already or nobody sees it. */
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
