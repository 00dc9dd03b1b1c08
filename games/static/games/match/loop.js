/**
 * Plays a span, again and again or once, until the viewer pauses or goes elsewhere.
 * @typedef {import("./player.js").Player} Player
 * @typedef {{round: number, event: number, until: number}} Span
 * @typedef {{round: number, from: number, to: number}} Stretch  in ms of the round
 */

/** How long the last event of a span stays visible, in ms of the round. */
const REST_MS = 600;

/** The start and end of what is played, in ms of its round. @param {Player} player @param {Span | Stretch} span */
function timesOf(player, span) {
  if ("from" in span) return span;
  const events = player.log.rounds[span.round - 1]?.events ?? [];
  return { from: events[span.event - 1]?.t ?? 0, to: (events[span.until - 1]?.t ?? 0) + REST_MS };
}

export class Loop {
  /**
   * @param {Player} player @param {() => void} [ended] called at the end of a span instead of going back
   * @param {() => void} [stopped] called whenever it stops
   */
  constructor(player, ended, stopped = () => {}) {
    this.player = player;
    this.ended = ended;
    this.stopped = stopped;
    /** @type {Span | Stretch | null} */
    this.span = null;
    this.moving = false;
    player.onChange(() => this.#moved());
    player.onState(() => this.#state());
  }

  get running() {
    return this.span !== null;
  }

  /** @param {Span | Stretch} span */
  async start(span) {
    this.span = span;
    await this.#again();
  }

  stop() {
    if (!this.span) return;
    this.span = null;
    this.moving = false;
    this.stopped();
  }

  async #again() {
    const { player, span } = this;
    if (!span) return;
    this.moving = true;
    const { round } = span;
    const there = await player.goTo(
      "from" in span ? { round, t: span.from } : { round, event: span.event },
    );
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
    const elsewhere = round !== span.round;
    // What is before a stretch leads into it.
    if (!("from" in span) && (elsewhere || t < from)) this.stop();
    else if (elsewhere || t > to || (player.round?.finished && player.atEndOf(player.round)))
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
