// @ts-check
/**
 * A live match as a small table that moves: nothing to click, no charts, one socket.
 *
 * @typedef {{id: string, seats: {name: string, kind: string}[],
 *   rules: import("../match/ranking.js").Goal}} Shown
 * @typedef {import("../live/socket.js").Frame} Frame
 */

import { Board } from "../board/board.js";
import { box, write } from "../dom/elements.js";
import { Playout } from "../live/playout.js";
import { LiveRound } from "../live/round.js";
import { LiveSocket } from "../live/socket.js";

/** So many lines at once are how things stand, not what happens. */
const JUMP = 8;
const OVER = new Set(["finished", "abandoned"]);
const NOTES = /** @type {Record<string, string>} */ ({
  seating: "The cards are not dealt yet.",
  finished: "This match is over.",
  abandoned: "This match is over.",
});

/** @param {string} id */
const address = (id) =>
  `${location.protocol.replace("http", "ws")}//${location.host}/ws/watch/${id}/`;

export class MiniBoard {
  /** @param {HTMLElement} root @param {Shown} shown @param {() => void} ended the match is over */
  constructor(root, { id, seats, rules }, ended) {
    this.root = root;
    this.id = id;
    this.ended = ended;
    /** When the end was shown first. @type {number | null} */
    this.overSince = null;
    const names = seats.map((seat) => seat.name);
    this.round = new LiveRound(names, "spectator");
    this.playout = new Playout((_, lines) => this.#play(lines));
    const table = box("div", "");
    this.note = box("p", "wall-note", "…");
    root.append(table, this.note);
    this.board = new Board(table, seats, { goal: rules });
    /** @type {LiveSocket | null} */
    this.socket = null;
  }

  /** Follow the match. */
  start() {
    if (this.socket) return;
    this.socket = new LiveSocket(address(this.id), {
      status: (status) => this.root.classList.toggle("is-away", status === "away"),
      restart: () => this.playout.drop(),
      lines: (frame) => this.playout.take(/** @type {any} */ (frame)),
      state: (frame) => this.#state(frame),
    });
    this.socket.start();
  }

  /** Nobody looks: let go of it. */
  stop() {
    this.socket?.stop();
    this.socket = null;
    this.playout.drop();
    this.root.classList.remove("is-away");
  }

  /** @param {Frame} state */
  #state(state) {
    const note = NOTES[state.phase] ?? "";
    write(this.note, this.round.table && state.phase !== "seating" ? "" : note);
    if (OVER.has(state.phase)) this.#end();
    if (!this.round.table?.ended) this.round.totals = state.totals;
  }

  #end() {
    if (this.over) return;
    this.overSince = performance.now();
    this.root.classList.add("is-over");
    this.ended();
  }

  get over() {
    return this.overSince !== null;
  }

  /** Whether its end has been shown for less than so long. @param {number} ms */
  resting(ms) {
    return this.overSince !== null && performance.now() - this.overSince < ms;
  }

  /** @param {any[]} lines */
  #play(lines) {
    const events = this.round.take(lines);
    if (!this.round.table) return;
    write(this.note, "");
    const lively = events.length === lines.length && events.length < JUMP;
    this.board.show(this.round.table, {
      view: "spectator",
      standing: this.round.standing(events),
      applied: lively ? events : [],
      lively,
    });
  }
}
