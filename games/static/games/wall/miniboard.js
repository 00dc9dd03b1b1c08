/**
 * A live match as a small table that moves: nothing to click, no charts, one socket.
 * @typedef {{id: string, seats: {name: string, kind: string}[],
 *   rules: import("../match/ranking.js").Goal}} Shown
 * @typedef {{swap: [string, string][], add: string[], drop: string[]}} Changes
 *   `swap`: finished matches and their replacements
 */

import { Board } from "../board/board.js";
import { box, write } from "../dom/elements.js";
import { ConnectionWords } from "../live/connection.js";
import { LiveSource } from "../live/source.js";
import { Log } from "../match/log.js";
import { Player } from "../match/player.js";
import { gettext } from "../words/gettext.js";

const OVER = new Set(["finished", "abandoned"]);
const NOTES = /** @type {Record<string, string>} */ ({
  seating: gettext("Waiting for the deal."),
  finished: gettext("This match is over."),
  abandoned: gettext("This match is over."),
});

export class MiniBoard {
  /**
   * @param {HTMLElement} root @param {Shown} shown
   * @param {() => void} changed called when it shows another round, and when the match is over
   * @param {number} [behind] how late it shows the match, in ms. Without it, it follows the end
   */
  constructor(root, { id, seats, rules }, changed, behind = 0) {
    this.root = root;
    this.id = id;
    this.changed = changed;
    this.round = 0;
    this.phase = "";
    /** What is wrong with the connection. */
    this.lost = "";
    this.connection = new ConnectionWords({
      say: (words) => this.#lose(words),
      clear: () => this.#lose(""),
      reload: () => location.reload(),
      online: () => navigator.onLine,
    });
    /** When the end was first shown. @type {number | null} */
    this.overSince = null;
    /** Whether it plays, late. */
    this.begun = false;
    this.log = new Log({ id, seats }, null, 1);
    this.player = new Player(this.log, (step) => requestAnimationFrame(step));
    this.player.onChange(() => {
      if (!this.board.showPlace(this.player, "spectator")) return;
      this.#say();
      const { round } = this.player.cursor;
      if (this.round === round) return;
      this.round = round;
      changed();
    });
    if (behind) this.log.onGrow(() => this.#begin(behind));
    else this.player.follow();
    const table = box("div", "");
    this.note = box("p", "wall-note over unbound", "…");
    root.append(table, this.note);
    this.board = new Board(table, seats, { goal: rules });
    /** @type {LiveSource | null} */
    this.source = null;
  }

  /** Begins so late, once there is something to show. @param {number} behind */
  #begin(behind) {
    const { last } = this.log;
    if (this.begun || !last) return;
    this.begun = true;
    this.player.playFrom({ round: last.number, t: Math.max(last.duration - behind, 0) });
  }

  start() {
    if (this.source) return;
    this.source = new LiveSource(
      this.log,
      { url: `/ws/watch/${this.id}/` },
      {
        news: (news) => this.#news(news),
        status: (status, why) => this.connection.status(status, why),
      },
    );
    this.source.start();
  }

  /** Nobody is looking: disconnect. */
  stop() {
    this.player.pause();
    this.source?.stop();
    this.source = null;
    this.#lose("");
  }

  /** @param {string} words empty: the connection is there */
  #lose(words) {
    this.lost = words;
    this.note.classList.toggle("is-lost", words !== "");
    this.#say();
  }

  /** Says why the table is not what it seems, or that there is none yet. */
  #say() {
    const shown = this.board.shown && this.phase !== "seating";
    write(this.note, this.lost || (shown ? "" : (NOTES[this.phase] ?? "…")));
  }

  /** @param {import("frames").StateFrame} news */
  #news({ phase, totals, seats }) {
    for (const [number, { kind, bot }] of seats.entries())
      this.board.seats[number].showKind(kind, bot);
    this.phase = phase;
    this.connection.current();
    this.#say();
    if (OVER.has(phase) && !this.over) {
      this.overSince = performance.now();
      this.root.classList.add("is-over");
      this.changed();
    }
    if (!this.log.last?.end) this.log.carried = totals;
  }

  get over() {
    return this.overSince !== null;
  }

  /** Whether its end has been shown for less than this time. @param {number} ms */
  resting(ms) {
    return this.overSince !== null && performance.now() - this.overSince < ms;
  }
}

/**
 * The changes on a wall: new matches replace finished ones or take a free place. The rest stay
 * where they are. A finished match without a replacement stays as it ended.
 * @param {string[]} here the matches shown there
 * @param {string[]} now those being played
 * @param {(id: string) => boolean} resting its end must be shown a while longer
 * @param {number} most @returns {Changes}
 */
export function changes(here, now, resting, most) {
  const over = here.filter((id) => !now.includes(id) && !resting(id));
  const room = Math.max(most - here.length + over.length, 0);
  const fresh = now.filter((id) => !here.includes(id)).slice(0, room);
  const swap = over
    .slice(0, fresh.length)
    .map((id, at) => /** @type {[string, string]} */ ([id, fresh[at]]));
  const drop = over.slice(fresh.length);
  return {
    swap,
    add: fresh.slice(over.length),
    drop: drop.slice(drop.length === here.length ? 1 : 0),
  };
}

/**
 * What a match's chip says: of the round that its table shows, once there is one. The page's own
 * words are older.
 * @param {{over: boolean, round: number}} table
 * @param {string} told by the page
 */
export const stateWords = ({ over, round }, told) =>
  over ? gettext("over") : round ? gettext("round {round}", { round }) : told;
