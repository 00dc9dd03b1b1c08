/**
 * A moment of a match that plays itself, again and again, while it is in sight: on the home page.
 * Where the page may not move, it shows its end and waits to be played.
 * @typedef {{match: any, first: any, round: number, event: number, until: number}} Shown
 */

import { Board } from "../../games/board/board.js";
import { wantsStillness } from "../../games/board/motion.js";
import { jsonAt } from "../../games/dom/asking.js";
import { byId, write } from "../../games/dom/elements.js";
import { load, showMotion } from "../../games/dom/settings.js";
import { captionAt, holdOf } from "../../games/match/caption.js";
import { unpackRound } from "../../games/match/columns.js";
import { Log } from "../../games/match/log.js";
import { Loop } from "../../games/match/loop.js";
import { Player } from "../../games/match/player.js";
import { gettext, pgettext } from "../../games/words/gettext.js";

class Moment {
  /** @param {Shown} shown */
  constructor(shown) {
    const { match, first, round, event, until } = shown;
    this.span = { round, event, until };
    this.log = new Log(match, { unpack: unpackRound, fetchJson: jsonAt });
    this.player = new Player(this.log, (step) => requestAnimationFrame(step));
    this.loop = new Loop(this.player);
    this.names = match.seats.map((/** @type {{name: string}} */ seat) => seat.name);
    this.board = new Board(byId("moment-table"), match.seats, { goal: match.rules });
    this.button = /** @type {HTMLButtonElement} */ (byId("moment-play"));
    /** Whether the viewer has paused it, or may not be moved. */
    this.paused = wantsStillness();
    this.inSight = false;
    this.player.onChange(() => this.#draw());
    this.player.onState(() =>
      write(this.button, this.player.playing ? gettext("Pause") : pgettext("playback", "Play")),
    );
    this.button.addEventListener("click", () => {
      this.paused = this.player.playing;
      if (this.paused) this.player.pause();
      else this.loop.start(this.span);
    });
    this.log.append(first);
  }

  async open() {
    await this.player.goTo({ round: this.span.round, event: this.span.until });
    this.button.disabled = false;
    const sight = new IntersectionObserver((entries) => {
      this.inSight = entries.at(-1)?.isIntersecting ?? false;
      this.#look();
    });
    sight.observe(byId("moment"));
    document.addEventListener("visibilitychange", () => this.#look());
  }

  #look() {
    if (!this.inSight || document.hidden) this.player.pause();
    else if (!this.paused && !this.player.playing) this.loop.start(this.span);
  }

  #draw() {
    const { round, cursor } = this.player;
    if (!this.board.showPlace(this.player, "all") || !round) return;
    const said = captionAt(round, cursor, holdOf(this.player), this.names, "all");
    write(byId("moment-words"), said.text);
  }
}

showMotion(load());
new Moment(JSON.parse(byId("moment-data").textContent ?? "null")).open();
