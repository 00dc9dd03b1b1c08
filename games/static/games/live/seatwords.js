/**
 * What a seat says of its player: away, or how soon a bot plays meanwhile, and quick phrases.
 * @typedef {{here: boolean, bot: boolean, kind: string | null, away_ms: number | null}} Present
 *   of the protocol's `state`
 * @import { Clock, Later } from "../dom/clock.js"
 * @typedef {import("../board/board.js").Board} Board
 * @import { Phrase } from "frames"
 */

import { CLOCK, later } from "../dom/clock.js";
import { box, button, write } from "../dom/elements.js";
import { gettext } from "../words/gettext.js";

const TICK_MS = 500;

export class AwayWords {
  /**
   * @param {(words: string[]) => void} show the seats' words, "" for a player who is there
   * @param {Clock} [clock]
   */
  constructor(show, clock = CLOCK) {
    this.show = show;
    this.clock = clock;
    /** @type {Present[]} */
    this.seats = [];
    /** When a bot takes over each seat, on this page's clock. @type {(number | null)[]} */
    this.due = [];
  }

  /** What the newest state says. @param {Present[]} seats */
  state(seats) {
    const now = this.clock.now();
    this.seats = seats;
    this.due = seats.map(({ away_ms }) => (typeof away_ms === "number" ? now + away_ms : null));
    this.#say(seats);
  }

  /** @param {Present[]} seats those of an older state say no more */
  #say(seats) {
    if (seats !== this.seats) return;
    this.show(seats.map((seat, number) => this.#words(seat, this.due[number])));
    const counting = seats.some((seat, number) => this.due[number] !== null && !seat.bot);
    if (counting) this.clock.later(TICK_MS, () => this.#say(seats));
  }

  /** @param {Present} seat @param {number | null} due */
  #words(seat, due) {
    const { kind, here, bot } = seat;
    if (kind !== "human" || (here && !bot && due === null)) return "";
    const left = due === null ? 0 : Math.ceil((due - this.clock.now()) / 1000);
    if (bot || left <= 0) return gettext("away");
    return here
      ? gettext("idle, bot in {left} s", { left })
      : gettext("away, bot in {left} s", { left });
  }
}

export class Presence {
  constructor() {
    /** @type {Board | null} */
    this.board = null;
    this.words = new AwayWords((words) =>
      words.forEach((said, seat) => this.board && mark(this.board.seats[seat].element, said)),
    );
  }

  /** What the newest state says. @param {Board} board @param {Present[]} seats */
  show(board, seats) {
    this.board = board;
    this.words.state(seats);
  }
}

/** @param {Element} seat @param {string} words */
function mark(seat, words) {
  let mark = seat.querySelector(".seat-away");
  if (!mark && !words) return;
  if (!mark) {
    mark = box("p", "seat-away if-any");
    seat.append(mark);
  }
  write(mark, words);
  seat.classList.toggle("is-away", Boolean(words));
}

/** The same as in the protocol. @type {Record<Phrase, string>} */
export const PHRASES = {
  "good-luck": gettext("Good luck"),
  "well-played": gettext("Well played"),
  ouch: gettext("Ouch"),
  "one-moment": gettext("One moment"),
  again: gettext("Again?"),
};
/** The host drops what a seat says sooner than this after its last phrase, in ms. */
export const REST_MS = 2000;

/**
 * What a seat's phrase is to a viewer.
 * @param {Phrase | null | undefined} says as in the protocol's `state`
 * @param {boolean} heard whether the viewer wants phrases
 */
export const wordsOf = (says, heard) => (heard && says && PHRASES[says]) || "";

/**
 * Says a phrase, unless the last one has just been said.
 * @param {(phrase: Phrase) => void} say @param {(resting: boolean) => void} show @param {Later} [wait]
 */
export function talking(say, show, wait = later) {
  let resting = false;
  const rest = (/** @type {boolean} */ yes) => {
    resting = yes;
    show(yes);
  };
  return (/** @type {Phrase} */ phrase) => {
    if (resting) return;
    say(phrase);
    rest(true);
    wait(REST_MS, () => rest(false));
  };
}

/**
 * Shows what the seats say, or nothing if the viewer has turned phrases off.
 * @param {Board} board
 * @param {{says?: Phrase | null}[]} seats as in the protocol's `state`
 * @param {boolean} heard
 */
export function showPhrases(board, seats, heard) {
  seats.forEach(({ says }, number) => {
    const { element } = board.seats[number];
    let bubble = element.querySelector(".seat-says");
    if (!bubble) {
      bubble = box("p", { class: "seat-says small", role: "status" });
      element.append(bubble);
    }
    write(bubble, wordsOf(says, heard));
  });
}

/** A player's buttons. @param {HTMLElement} root @param {(phrase: Phrase) => void} say */
export function offerPhrases(root, say) {
  const talk = talking(say, (resting) => {
    for (const button of buttons) button.setAttribute("aria-disabled", String(resting));
  });
  const phrases = /** @type {[Phrase, string][]} */ (Object.entries(PHRASES));
  const buttons = phrases.map(([phrase, words]) => {
    const made = button("phrase bare small", words, () => talk(phrase));
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    return made;
  });
  root.replaceChildren(...buttons);
}
