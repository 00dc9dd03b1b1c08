// @ts-check
/**
 * A variation while it is played: what was done by hand, and what is asked of the server, who
 * judges it. No DOM, no rules.
 *
 * What was done since the last time that bots played is judged together, so that two plays may tie.
 *
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @typedef {import("./lines.js").Line} Line
 * @typedef {{t: number, seat: number, do: string, card?: string, stack?: number, as?: number}} Act
 * @typedef {{play: number, rule: string, message: string, wait_ms: number | null}} Refused
 * @typedef {{lines: {variation: {events: RoundEvent[]}}[], refused: Refused[], t: number,
 *   ended: string | null}} Judged
 * @typedef {{ms?: number, seed: number}} Bots
 * @typedef {(body: object) => Promise<Judged>} Ask
 * @typedef {{events: RoundEvent[], refused: Refused | null, ended: string | null}} Outcome
 *   `refused`: why what was asked for last cannot be
 */

import { sent } from "./lines.js";

/** Waiting for a hand or a tie is tried so often. */
const PATIENCE = 4;

/** A name that nobody has yet. */
export const newKey = () => crypto.randomUUID();

export class Branching {
  /**
   * @param {Line} line to which events are added @param {Line[]} above those it goes along
   * @param {Ask} ask
   */
  constructor(line, above, ask) {
    this.line = line;
    this.above = above;
    this.ask = ask;
    /** What is settled for good. @type {RoundEvent[]} */
    this.settled = line.events.slice();
    /** @type {Act[]} */
    this.acts = [];
  }

  /** What is asked of the server. @param {Act[]} play @param {Bots} [bots] */
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

  /** The earliest ms at which something more can be done. @param {number} t of the position */
  next(t) {
    return Math.max(t, this.line.events.at(-1)?.t ?? 0, this.acts.at(-1)?.t ?? 0);
  }

  /**
   * Does something by hand; a busy hand or an open tie is waited for. Raises what `ask` raises.
   * @param {Act} act
   * @returns {Promise<Outcome>}
   */
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
