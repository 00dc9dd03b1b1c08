/**
 * What happened, for the player: one line under the table to read at a glance, with the last few
 * beside the stacks, a sound, and a word if it concerns their own action.
 * @typedef {import("../match/log.js").Round} Round
 * @typedef {import("../match/words.js").Saying} Saying
 * @typedef {{words: string, kind: string}} Message
 * @import { Later } from "../dom/clock.js"
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @import { RefusedFrame } from "frames"
 * @typedef {import("../board/board.js").Board} Board
 */

import { markOf } from "../board/cards.js";
import { victory } from "../board/choreography.js";
import { exclaim } from "../board/motion.js";
import { later } from "../dom/clock.js";
import { announce, box, write } from "../dom/elements.js";
import { captionAt, isQuiet } from "../match/caption.js";
import { isTake, sayingAt, seconds } from "../match/words.js";
import { gettext } from "../words/gettext.js";

export const NOTICE_MS = 2200;
export const READING_MS = 9000;

/**
 * Words to the player alone: a message while it lasts, otherwise advice.
 * - A message lasts `NOTICE_MS`, or until another one.
 * - One that is kept lasts `READING_MS`, and until the player has done something: a player who is
 *   not looking yet, or has a slow machine, can still read it.
 */
export class Notice {
  /** @param {(message: Message) => void} show @param {Later} [wait] */
  constructor(show, wait = later) {
    this.show = show;
    this.later = wait;
    this.advice = "";
    /** @type {Message | null} */
    this.message = null;
    /** Whether the player must still do something before the message goes. */
    this.held = false;
    /** Whether its time is over. A timer says so: the clock may then be a little behind. */
    this.over = true;
  }

  /** @param {string} words @param {string} [kind] */
  say(words, kind = "") {
    this.#put({ words, kind }, false, NOTICE_MS);
  }

  /** @param {string} words */
  keep(words) {
    this.#put({ words, kind: "" }, true, READING_MS);
  }

  /** @param {Message} message @param {boolean} held @param {number} ms */
  #put(message, held, ms) {
    this.message = message;
    this.held = held;
    this.over = false;
    this.show(message);
    this.later(ms, () => {
      if (this.message !== message) return;
      this.over = true;
      this.#end();
    });
  }

  /** The player has done something. */
  acted() {
    this.held = false;
    this.#end();
  }

  #end() {
    if (!this.message || this.held || !this.over) return;
    this.message = null;
    this.#advise();
  }

  /** Shows advice until there is other advice. Messages take precedence. @param {string} words */
  advise(words) {
    this.advice = words;
    if (!this.message) this.#advise();
  }

  #advise() {
    this.show({ words: this.advice, kind: "advice" });
  }
}

const MOST = 14;
const LOUD = new Set(["take", "tie", "out"]);
/** How many events are searched for those worth a line. */
const READ = 60;

export class Announcements {
  /**
   * @param {{said: HTMLElement, notice: HTMLElement}} places
   * @param {number} seat of the player who reads it
   */
  constructor({ said, notice }, seat) {
    this.said = said;
    /** What is said to the player alone. */
    this.notice = new Notice(({ words, kind }) => {
      if (kind === "advice") write(notice, words);
      else announce(notice, words);
      notice.className = `said-notice notice inline yields cut strong if-any ${kind}`;
    });
    this.list = box("ol", {
      class: "feed column gap-0 over",
      "aria-label": gettext("Latest events"),
    });
    /** As a sentence has them, once they are known. @type {string[]} */
    this.names = [];
    this.seat = seat;
    /** The listed round, and how many of its events are listed. @type {Round | null} */
    this.round = null;
    this.listed = 0;
  }

  /** Lists what has happened since the last call. @param {Round} round */
  follow(round) {
    if (this.round !== round) {
      this.round = round;
      this.listed = 0;
      this.list.replaceChildren();
    }
    const { length } = round.events;
    for (let event = Math.max(this.listed, length - READ) + 1; event <= length; event += 1)
      this.#list(sayingAt(round, event, this.names, this.seat, this.seat));
    this.listed = length;
  }

  /** @param {Saying} saying */
  #list(saying) {
    if (isQuiet(saying.kind)) return;
    const weight = LOUD.has(saying.kind) ? "strong" : "";
    this.list.prepend(
      box("li", `feed-row baseline breaks line small ${weight}`, ...this.#words(saying)),
    );
    while (this.list.children.length > MOST) this.list.lastElementChild?.remove();
  }

  /**
   * Describes the event before a place.
   * @param {Round} round @param {{event: number, t: number}} cursor
   * @param {number} hold how long an important event stays
   */
  show(round, cursor, hold) {
    const saying = captionAt(round, cursor, hold, this.names, this.seat, this.seat);
    if (isQuiet(saying.kind)) this.said.replaceChildren();
    else if (this.said.textContent !== saying.text)
      this.said.replaceChildren(...this.#words(saying));
  }

  /** @param {Saying} saying */
  #words(saying) {
    const words = box("span", "", saying.text);
    return saying.seat === null ? [words] : [markOf(saying.seat), words];
  }
}

const REFUSED = /** @type {Record<string, string>} */ ({
  "one-hand": gettext("One card at a time."),
  "hand-full": gettext("Your hand is full."),
  "no-card-to-draw": gettext("No cards left to draw."),
  "refill-first": gettext("Draw up to three cards first."),
  "not-out": gettext("Not out yet: there are cards in your draw or discard pile."),
  "out-by-itself": gettext("No need to shout OUT: the round ends by itself."),
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
   * @param {import("../match/log.js").Log} log @param {Notice} notice
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
