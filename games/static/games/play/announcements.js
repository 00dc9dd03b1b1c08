// @ts-check
/**
 * What happened, beside the table: a line that is read in passing, and the last few below it.
 *
 * @typedef {import("../match/words.js").Saying} Saying
 */

import { markOf } from "../board/cards.js";
import { box, write } from "../dom/elements.js";
import { sentence } from "../match/words.js";

/** Everybody draws and discards all the time: not worth a line. */
const QUIET = new Set(["draw", "discard", "deal"]);
const MOST = 14;
/** So long a word to the player stays over what happens. */
const NOTICE_MS = 2200;

export class Announcements {
  /** @param {HTMLElement} said @param {HTMLElement} notice @param {HTMLElement} list @param {string[]} names */
  constructor(said, notice, list, names) {
    this.said = said;
    this.notice = notice;
    this.list = list;
    this.names = names;
    this.timer = 0;
    this.advice = "";
  }

  /** @param {Saying | null} saying */
  tell(saying) {
    if (!saying || QUIET.has(saying.kind)) return;
    const words = sentence(saying, this.names);
    const mark = saying.seat === null ? [] : [markOf(saying.seat)];
    this.said.replaceChildren(...mark, box("span", "", words));
    const row = box(
      "li",
      `feed-row is-${saying.kind}`,
      ...(saying.seat === null ? [] : [markOf(saying.seat)]),
      box("span", "", words),
    );
    this.list.prepend(row);
    while (this.list.children.length > MOST) this.list.lastElementChild?.remove();
  }

  /** A word to the player alone. @param {string} words @param {string} [kind] */
  say(words, kind = "") {
    clearTimeout(this.timer);
    write(this.notice, words);
    this.notice.className = `said-notice ${kind}`;
    this.timer = window.setTimeout(() => this.#rest(), NOTICE_MS);
  }

  /** Advice stays until there is other advice; a word to the player goes before it. @param {string} words */
  advise(words) {
    this.advice = words;
    if (!this.notice.textContent || this.notice.classList.contains("advice")) this.#rest();
  }

  #rest() {
    write(this.notice, this.advice);
    this.notice.className = "said-notice advice";
  }

  /** A new round. */
  clear() {
    this.said.replaceChildren();
    this.list.replaceChildren();
  }
}
