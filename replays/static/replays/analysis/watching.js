/**
 * A moment is watched from a little before it. No DOM.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{round: number, t: number}} Moment
 */

/** @param {Player} player @param {Moment} moment @param {number} runUpMs */
export const watch = (player, moment, runUpMs) =>
  player.playFrom({ round: moment.round, t: moment.t - runUpMs });

/**
 * The moment before or after the cursor. One whose run-up has begun is not after it.
 * @template {Moment} M
 * @param {M[]} moments in their order
 * @param {Moment} cursor
 * @param {number} by
 * @param {number} runUpMs
 */
export function neighbour(moments, { round, t }, by, runUpMs) {
  const later = (/** @type {M} */ moment) =>
    moment.round > round || (moment.round === round && moment.t - runUpMs > t + 1);
  const earlier = (/** @type {M} */ moment) =>
    moment.round < round || (moment.round === round && moment.t < t - 1);
  return by > 0 ? moments.find(later) : moments.findLast(earlier);
}

const SLOW = 0.1;

/** Plays a stretch of a round slowly, then stops and restores the speed. */
export class SlowMotion {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @type {{round: number, until: number, speed: number, smart: boolean} | null} */
    this.span = null;
    this.moving = false;
    player.onChange(() => this.#moved());
    player.onState(() => this.#state());
  }

  /** @param {number} round @param {number} from ms in the round @param {number} until */
  async play(round, from, until) {
    this.stop();
    const { player } = this;
    player.pause();
    this.moving = true;
    const span = { round, until, speed: player.speed, smart: player.smart };
    this.span = span;
    const there = await player.goTo({ round, t: Math.max(0, from) });
    if (this.span !== span) return;
    if (!there) return this.stop();
    player.setSpeed(SLOW, false);
    player.play();
    this.moving = false;
  }

  stop() {
    if (!this.span) return;
    const { speed, smart } = this.span;
    this.span = null;
    this.moving = false;
    this.player.setSpeed(speed, smart);
  }

  #moved() {
    if (!this.span || this.moving) return;
    const { round, t } = this.player.cursor;
    if (round === this.span.round && t <= this.span.until) return;
    this.stop();
    this.player.pause();
  }

  /** A viewer who pauses or changes the speed takes over. */
  #state() {
    if (!this.span || this.moving) return;
    if (!this.player.playing) this.stop();
    else if (this.player.speed !== SLOW) this.span = null;
  }
}
