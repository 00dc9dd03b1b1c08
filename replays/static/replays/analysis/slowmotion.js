/**
 * Plays a stretch of a round slowly, then stops and restores the speed.
 * @typedef {import("../../games/match/player.js").Player} Player
 */

const SLOW = 0.1;

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
