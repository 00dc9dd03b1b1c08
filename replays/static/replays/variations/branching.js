/**
 * A variation while it is being played: the manual plays, and the requests to the server, which
 * judges them. No DOM, no rules.
 *
 * Everything done since bots last played is judged together, so that two plays may tie.
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @typedef {import("./lines.js").Line} Line
 * @typedef {{t: number, seat: number, do: string, card?: string, stack?: number, as?: number}} Act
 * @typedef {{play: number, rule: string, message: string, wait_ms: number | null}} Refused
 * @typedef {{lines: {variation: {events: RoundEvent[]}}[], refused: Refused[], t: number,
 *   ended: string | null}} Judged
 * @typedef {{ms?: number, seed: number}} Bots
 * @typedef {(body: object) => Promise<Judged>} Ask
 * @typedef {{events: RoundEvent[], refused: Refused | null, ended: string | null}} Outcome
 *   `refused`: why the last request is not possible
 */

import { sent } from "./lines.js";

/** How many times a wait for a hand or a tie is retried. */
const PATIENCE = 4;

export class Branching {
  /** @param {Line} line the one to extend @param {Line[]} above its ancestors @param {Ask} ask */
  constructor(line, above, ask) {
    this.line = line;
    this.above = above;
    this.ask = ask;
    /** What is settled finally. @type {RoundEvent[]} */
    this.settled = line.events.slice();
    /** @type {Act[]} */
    this.acts = [];
  }

  /** The request to the server. @param {Act[]} play @param {Bots} [bots] */
  body(play, bots) {
    const { line, above, settled } = this;
    const begun = settled.length ? [...above, { ...line, events: settled }] : above;
    const along = settled.length ? line.key : line.line;
    return {
      round: line.round,
      event: line.event + settled.length,
      ...(along !== null && { line: along }),
      ...(begun.length && { variations: sent(begun) }),
      ...(play.length && { play }),
      ...(bots && { bots }),
    };
  }

  /** The earliest ms at which anything more can be done. @param {number} t of the position */
  next(t) {
    return Math.max(t, this.line.events.at(-1)?.t ?? 0, this.acts.at(-1)?.t ?? 0);
  }

  /** Waits for a busy hand or an open tie. @param {Act} act @returns {Promise<Outcome>} */
  async act(act) {
    let { t } = act;
    for (let tries = 0; ; tries += 1) {
      const acts = [...this.acts, { ...act, t }];
      const judged = await this.ask(this.body(acts));
      const refused = judged.refused.find(({ play }) => play === acts.length - 1) ?? null;
      if (!refused) {
        this.acts = acts;
        return this.#take(judged);
      }
      if (!refused.wait_ms || tries === PATIENCE)
        return { events: this.line.events, refused, ended: judged.ended };
      t += refused.wait_ms;
    }
  }

  /** Lets bots play on. @param {Bots} bots @returns {Promise<Outcome>} */
  async bots(bots) {
    const outcome = this.#take(await this.ask(this.body(this.acts, bots)));
    this.settled = outcome.events;
    this.acts = [];
    return outcome;
  }

  /** @param {Judged} judged @returns {Outcome} */
  #take(judged) {
    const made = judged.lines.flatMap(({ variation }) => variation.events);
    const events = [...this.settled, ...made];
    return { events, refused: null, ended: judged.ended };
  }
}
