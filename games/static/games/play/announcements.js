/**
 * What happened, beside the table: one line to read at a glance, with the last few below it.
 * @typedef {import("../match/log.js").Round} Round
 * @typedef {import("../match/words.js").Saying} Saying
 */

import { markOf } from "../board/cards.js";
import { box, write } from "../dom/elements.js";
import { captionAt, isQuiet } from "../match/caption.js";
import { sayingAt } from "../match/words.js";
import { Notice } from "./notice.js";

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
