/**
 * What happened, beside the table: one line to read at a glance, with the last few below it.
 * @typedef {import("../match/log.js").Round} Round
 * @typedef {import("../match/words.js").Saying} Saying
 * @typedef {{words: string, kind: string}} Message
 * @import { Later } from "../dom/clock.js"
 */

import { markOf } from "../board/cards.js";
import { later } from "../dom/clock.js";
import { box, write } from "../dom/elements.js";
import { captionAt, isQuiet } from "../match/caption.js";
import { sayingAt } from "../match/words.js";

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
/** How many events are searched for those worth a line. */
const READ = 60;

export class Announcements {
  /**
   * @param {{said: HTMLElement, notice: HTMLElement, list: HTMLElement}} places
   * @param {string[]} names
   * @param {number} seat of the player who reads it
   */
  constructor({ said, notice, list }, names, seat) {
    this.said = said;
    /** What is said to the player alone. */
    this.notice = new Notice(({ words, kind }) => {
      write(notice, words);
      notice.className = `said-notice ${kind}`;
    });
    this.list = list;
    this.names = names;
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
    this.list.prepend(
      box("li", `feed-row line soft small is-${saying.kind}`, ...this.#words(saying)),
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
