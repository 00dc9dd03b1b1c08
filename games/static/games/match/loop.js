/**
 * Repeats a span until the viewer pauses or goes elsewhere.
 * @typedef {import("./player.js").Player} Player
 * @typedef {{round: number, event: number, until: number}} Span
 */

/** How long the last event of a span stays visible, in ms of the round. */
const REST_MS = 600;

/** A span's start and end, in ms of its round. @param {Player} player @param {Span} span */
export function timesOf(player, { round, event, until }) {
  const events = player.log.rounds[round - 1]?.events ?? [];
  return { from: events[event - 1]?.t ?? 0, to: events[until - 1]?.t ?? 0 };
}

export class Loop {
  /** @param {Player} player @param {() => void} [ended] called at the end of a span instead of going back */
  constructor(player, ended) {
    this.player = player;
    this.ended = ended;
    /** @type {Span | null} */
    this.span = null;
    this.moving = false;
    player.onChange(() => this.#moved());
    player.onState(() => this.#state());
  }

  get running() {
    return this.span !== null;
  }

  /** @param {Span} span */
  async start(span) {
    this.span = span;
    await this.#again();
  }

  stop() {
    this.span = null;
    this.moving = false;
  }

  async #again() {
    const { player, span } = this;
    if (!span) return;
    this.moving = true;
    const there = await player.goTo({ round: span.round, event: span.event });
    if (this.span !== span) return;
    if (!there) return this.stop();
    if (!player.playing) player.play();
    this.moving = false;
  }

  #moved() {
    const { player, span } = this;
    if (!span || this.moving) return;
    const { from, to } = timesOf(player, span);
    const { round, t } = player.cursor;
    if (round !== span.round || t < from) this.stop();
    else if (t > to + REST_MS || (player.round?.finished && player.atEndOf(player.round)))
      this.#end();
  }

  #end() {
    if (!this.ended) this.#again();
    else {
      this.stop();
      this.ended();
    }
  }

  #state() {
    if (!this.player.playing && !this.moving) this.stop();
  }
}
