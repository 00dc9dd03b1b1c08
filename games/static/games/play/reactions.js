/**
 * A player's immediate feedback: a sound, and a word if it concerns their own action; the shout at
 * the deal, and the celebration at the end.
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @import { RefusedFrame } from "frames"
 * @typedef {import("../board/board.js").Board} Board
 */

import { victory } from "../board/choreography.js";
import { exclaim } from "../board/motion.js";
import { isTake } from "../match/words.js";

const REFUSED = /** @type {Record<string, string>} */ ({
  "one-hand": "One card at a time.",
  "hand-full": "Your hand is full.",
  "no-card-to-draw": "No cards left to draw.",
  "refill-first": "Draw up to three cards first.",
  "not-out": "Not out yet: there are cards in your draw or discard pile.",
  "out-by-itself": "No need to call OUT: the round ends by itself.",
  "tie-not-shown": "That card was just tied.",
  "round-over": "The round is over.",
  paused: "Paused until everyone is back.",
  "queue-full": "The server is busy. Try again.",
  "not-seated": "A bot is playing for you.",
});

/** Delay of this many ms each way contributes to being late. */
const SLOW_MS = 40;

const RATUKI_MS = 900;

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export class Reactions {
  /**
   * @param {import("./play.js").Page & {seat: number}} page
   * @param {import("../match/log.js").Log} log @param {import("./notice.js").Notice} notice
   * @param {import("../dom/sounds.js").Sounds} sounds
   * @param {() => number | null} lag round-trip ms
   */
  constructor({ seat, rules }, log, notice, sounds, lag) {
    this.seat = seat;
    this.rules = rules;
    this.log = log;
    this.notice = notice;
    this.sounds = sounds;
    this.lag = lag;
  }

  /** @param {RoundEvent[]} events that just happened */
  hear(events) {
    for (const event of events) {
      const mine = "seat" in event && event.seat === this.seat;
      if (event.do === "late" && mine) this.#late(event);
      if (event.do === "miss" && mine) this.#miss();
      if (event.do === "play" && (mine || isTake(event))) this.sounds.hear(event);
      else if (["tie", "out", "end"].includes(event.do) || (mine && event.do !== "draw"))
        this.sounds.sound(event.do);
    }
  }

  #miss() {
    const rest = seconds(this.rules.mistake_ms);
    this.notice.say(`That does not fit. Your hand is free again in ${rest}.`, "bad");
  }

  /** @param {RoundEvent} event */
  #late(event) {
    const { events = [], timeline } = this.log.last ?? {};
    const first = timeline?.contexts[events.lastIndexOf(event)]?.first;
    const who = first && this.log.match.seats[first.seat].name;
    const words = first
      ? `${who} was ${first.ms} ms faster.${this.#line()}`
      : "Too late for that stack.";
    this.notice.say(words, "warn");
  }

  /** Mentions the connection when it contributed to being late. */
  #line() {
    const each = (this.lag() ?? 0) / 2;
    return each < SLOW_MS ? "" : ` Your connection takes about ${Math.round(each)} ms each way.`;
  }

  /** @param {RefusedFrame} frame */
  refused({ rule, message, wait_ms }) {
    const wait = wait_ms > 0 ? ` Wait ${seconds(wait_ms)}.` : "";
    this.notice.say((REFUSED[rule] ?? message) + wait, "warn");
    this.sounds.sound("miss");
  }

  /** Cards have been dealt. @param {Board} board */
  dealt(board) {
    this.sounds.sound("ratuki");
    const { clientWidth, clientHeight } = board.root;
    exclaim(
      board.layer,
      "RATUKI!",
      { x: clientWidth / 2, y: clientHeight * 0.45 },
      { kind: "ratuki", duration: RATUKI_MS },
    );
  }

  /** The match is over: celebrates a victory before its summary. @param {Board} board */
  over(board) {
    if (!this.log.result?.length) return;
    victory(board, this.log.result, this.seat);
    this.sounds.sound("victory");
  }

  handFull() {
    this.notice.say(REFUSED["hand-full"]);
  }
}
