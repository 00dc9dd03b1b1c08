/**
 * A player's immediate feedback: a sound, and a word if it concerns their own action. Also the
 * shout at the deal, and the celebration at the end.
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @import { RefusedFrame } from "frames"
 * @typedef {import("../board/board.js").Board} Board
 */

import { victory } from "../board/choreography.js";
import { exclaim } from "../board/motion.js";
import { isTake, seconds } from "../match/words.js";
import { gettext } from "../words/gettext.js";

const REFUSED = /** @type {Record<string, string>} */ ({
  "one-hand": gettext("One card at a time."),
  "hand-full": gettext("Your hand is full."),
  "no-card-to-draw": gettext("No cards left to draw."),
  "refill-first": gettext("Draw up to three cards first."),
  "not-out": gettext("Not out yet: there are cards in your draw or discard pile."),
  "out-by-itself": gettext("No need to call OUT: the round ends by itself."),
  "tie-not-shown": gettext("That card was just tied."),
  "round-over": gettext("The round is over."),
  paused: gettext("Paused until everyone is back."),
  "queue-full": gettext("The server is busy. Try again."),
  "not-seated": gettext("A bot is playing for you."),
});

/** Delay of this many ms each way contributes to being late. */
const SLOW_MS = 40;

const RATUKI_MS = 900;

export class Reactions {
  /**
   * @param {import("./play.js").Page & {seat: number}} page
   * @param {import("../match/log.js").Log} log @param {import("./announcements.js").Notice} notice
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
    const time = seconds(this.rules.mistake_ms);
    this.notice.say(
      gettext("That does not fit. Your hand is free again in {time}.", { time }),
      "bad",
    );
  }

  /** @param {RoundEvent} event */
  #late(event) {
    const { events = [], timeline } = this.log.last ?? {};
    const first = timeline?.contexts[events.lastIndexOf(event)]?.first;
    if (!first) return this.notice.say(gettext("Too late for that stack."), "warn");
    const { name } = this.log.match.seats[first.seat];
    const words = gettext("{name} was {ms} ms faster.", { name, ms: first.ms });
    this.notice.say([words, ...this.#line()].join(" "), "warn");
  }

  /** Mentions the connection when it contributed to being late. */
  #line() {
    const each = (this.lag() ?? 0) / 2;
    const words = gettext("Your connection takes about {ms} ms each way.", {
      ms: Math.round(each),
    });
    return each < SLOW_MS ? [] : [words];
  }

  /** @param {RefusedFrame} frame */
  refused({ rule, message, wait_ms }) {
    const why = REFUSED[rule] ?? message;
    const wait = gettext("Wait {time}.", { time: seconds(wait_ms) });
    this.notice.say(wait_ms > 0 ? `${why} ${wait}` : why, "warn");
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
