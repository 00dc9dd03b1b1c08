/**
 * Plays the moments one after another, each with its run-up and a little after it.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./analysis.js").Moment} Moment
 */

import { button, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

const BEFORE_MS = 6000;
const AFTER_MS = 3000;

/** The spans to play, in match order. Adjacent ones are merged. @param {Moment[]} moments */
export function spansOf(moments) {
  /** @type {{round: number, from: number, until: number}[]} */
  const spans = [];
  for (const { round, t } of [...moments].sort((a, b) => a.seq - b.seq)) {
    const from = Math.max(0, t - BEFORE_MS);
    const last = spans.at(-1);
    if (last && last.round === round && from <= last.until) last.until = t + AFTER_MS;
    else spans.push({ round, from, until: t + AFTER_MS });
  }
  return spans;
}

export class Highlights {
  /** @param {Player} player @param {Moment[]} moments */
  constructor(player, moments) {
    this.player = player;
    this.moving = false;
    /** How often a span was begun. */
    this.begun = 0;
    this.at = -1;
    this.spans = spansOf(moments);
    this.button = button("button small highlights", "", () => {
      this.toggle(); // not waited for: the next press stops it
    });
    player.onChange(() => this.#moved());
    player.onState(() => this.#state());
    this.button.hidden = !this.spans.length;
    this.#say();
  }

  get running() {
    return this.at >= 0;
  }

  toggle() {
    if (this.running) {
      this.#stop();
      this.player.pause();
    } else if (this.spans.length) this.#play(0);
  }

  /** @param {number} at */
  async #play(at) {
    this.at = at;
    this.#say();
    this.moving = true;
    this.begun += 1;
    const { begun } = this;
    const { round, from } = this.spans[at];
    const there = await this.player.playFrom({ round, t: from });
    if (this.begun !== begun || !this.running) return;
    if (there) this.moving = false;
    else this.#stop();
  }

  /** At the end of a span the next begins. */
  #moved() {
    if (!this.running || this.moving) return;
    const { round, t } = this.player.cursor;
    const span = this.spans[this.at];
    if (round === span.round && t <= span.until) return;
    if (this.at + 1 < this.spans.length) this.#play(this.at + 1);
    else {
      this.#stop();
      this.player.pause();
    }
  }

  /** A viewer who pauses or looks elsewhere has seen enough. */
  #state() {
    if (this.running && !this.moving && !this.player.playing) this.#stop();
  }

  #stop() {
    this.at = -1;
    this.moving = false;
    this.#say();
  }

  #say() {
    const ms = this.spans.reduce((sum, { from, until }) => sum + until - from, 0);
    const words = this.running
      ? gettext("Stop ({number} of {count})", { number: this.at + 1, count: this.spans.length })
      : gettext("Play the moments ({seconds} s)", { seconds: Math.round(ms / 1000) });
    write(this.button, words);
  }
}
