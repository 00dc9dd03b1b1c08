/**
 * The motions for each event: a play glides, a take gathers a stack and sweeps it to its taker,
 * tied cards meet and part, a late card turns back half way, a mistaken one shakes.
 * @import { Board, Scene } from "./board.js"
 * @import { RoundEvent, Table, View } from "../match/fold.js"
 * @import { Beat, Spot } from "./motion.js"
 * @typedef {Placed & {at: Spot}} Lying
 * @typedef {{path: Spot[], beat: Beat, open?: boolean}} Move  `open`: everyone sees its face
 * @typedef {{key: string, card: string, up: boolean, spot: string, index: number, of: number,
 *   shown: boolean}} Placed  `spot`: `hand-0`, `draw-0`, `discard-0`, `score-0` or `slot-0`
 */

import { faceOf, ownerOf, seesHand } from "../match/fold.js";
import { ending } from "../match/words.js";
import { gettext } from "../words/gettext.js";
import { markOf, turn } from "./cards.js";
import { between, burst, exclaim, lead, nudged, pulse, wantsStillness } from "./motion.js";

/** How many cards of a pile have an element. The rest are under them. */
const PILE_SHOWN = 2;

/**
 * @param {string[]} cards bottom first
 * @param {string} spot @param {boolean} up
 * @param {number} shown how many of the last ones are drawn
 * @returns {Placed[]}
 */
function spread(cards, spot, up, shown) {
  return cards.map((card, index) => {
    const known = faceOf(card) > 0;
    const key = known ? card : `${card}${spot}:${index}`;
    const of = cards.length;
    return { key, card, up: up && known, spot, index, of, shown: index >= of - shown };
  });
}

/** @param {Table} table @param {number} seat @param {View} view */
function seatPlaces(table, seat, view) {
  return [
    ...spread(table.drawPiles[seat], `draw-${seat}`, false, PILE_SHOWN),
    ...spread(table.discardPiles[seat], `discard-${seat}`, false, PILE_SHOWN),
    ...spread(table.scorePiles[seat], `score-${seat}`, true, PILE_SHOWN),
    ...spread(table.hands[seat], `hand-${seat}`, seesHand(view, seat), Infinity),
  ];
}

/** Every card of the table. @param {Table} table @param {View} view */
export function places(table, view) {
  const middle = table.stacks.map((stack, slot) => spread(stack, `slot-${slot}`, true, Infinity));
  const seats = table.hands.map((_, seat) => seatPlaces(table, seat, view));
  return [...middle.flat(), ...seats.flat()];
}

/** Durations in ms at normal pace. */
const GLIDE = 260;
const TAKE = 760;
const TIE = 900;
const LATE = 520;
const MISS = 420;
const WORD = 1300;
/** Moving cards are drawn above resting ones. */
const ABOVE = 1000;
/** Between these numbers of cards a take is celebrated more and more. */
const SMALL_TAKE = 3;
const HUGE_TAKE = 15;
const MOST_BITS = 26;
const VICTORY = 2600;
const VICTORY_BITS = 36;
/** A take pauses for this part of it between landing and sweep. */
const LANDED = 0.3;
const SWEEP = 0.48;

/** How much of a moment a take of so many cards is, from 0 to 1. @param {number} cards */
export const weightOf = (cards) =>
  Math.min(Math.max((cards - SMALL_TAKE) / (HUGE_TAKE - SMALL_TAKE), 0), 1);

export class Choreography {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Map<string, Lying>} */
    this.before = new Map();
    /** @type {Map<string, Move>} */
    this.moves = new Map();
    this.pace = 1;
  }

  /** @param {Map<string, Lying>} before @param {Scene} scene */
  play(before, { applied = [], pace = 1 }) {
    this.before = before;
    this.pace = pace;
    this.moves.clear();
    for (const event of applied) this.#show(event);
    if (wantsStillness()) return;
    this.board.lying.forEach((card) => this.#move(card));
  }

  /** @param {RoundEvent} event */
  #show(event) {
    if (event.do === "play" && event.takes) this.#take(event);
    else if (event.do === "tie") this.#tie(event);
    else if (event.do === "late") this.#late(event);
    else if (event.do === "miss") this.#miss(event);
    else if (event.do === "out") this.#out(event.seat);
    else if (event.do === "end") {
      const middle = { x: this.board.root.clientWidth / 2, y: this.board.middleOf("slot-0").y };
      this.#exclaim(middle, ending(event.reason).title, "end");
    }
  }

  /** @param {Lying} card */
  #move(card) {
    const was = this.before.get(card.key);
    const from = was?.at ?? this.#origin(card);
    const move = this.moves.get(card.key) ?? this.#glide(card, from, was?.spot);
    const element = this.board.cards.get(card.key);
    if (!move || !element) return;
    element.hidden = false;
    if (move.open) turn(element, "front");
    lead(element, from, move.path, move.beat, () => this.board.settle(card.key));
  }

  /** @param {Lying} card @param {Spot} from @param {string} [spot] @returns {Move | null} */
  #glide(card, from, spot) {
    if (from.x === card.at.x && from.y === card.at.y && from.scale === card.at.scale) return null;
    const travels = spot !== card.spot;
    if (!card.shown && !travels) return null;
    const level = card.index + (travels ? ABOVE : 1);
    return { path: [card.at], beat: { duration: GLIDE * this.pace, level } };
  }

  /** Where a card without an earlier element comes from. @param {Lying} card @returns {Spot} */
  #origin(card) {
    const [kind, number] = card.spot.split("-");
    const seat = kind === "slot" ? ownerOf(card.card) : Number(number);
    const from = kind === "hand" ? `draw-${seat}` : `hand-${seat}`;
    return kind === "draw" || kind === "score"
      ? card.at
      : this.board.position({ spot: from, index: 1, of: 2 });
  }

  /** @param {number} slot @param {number} cards how many are there then */
  #landing(slot, cards) {
    return this.board.position({ spot: `slot-${slot}`, index: cards - 1, of: cards });
  }

  /** How many cards a slot has. @param {number} slot */
  #height(slot) {
    const spot = `slot-${slot}`;
    return [...this.board.lying.values()].filter((card) => card.spot === spot).length;
  }

  /** @param {import("../match/fold.js").Play} event */
  #take(event) {
    const height = event.takes ?? 1;
    const weight = weightOf(height);
    const duration = TAKE * this.pace * (1 + weight / 2);
    const landing = this.#landing(event.stack, height);
    this.board.lying.forEach((card, key) => {
      const was = this.before.get(key);
      if (was?.spot !== `slot-${event.stack}` || card.spot !== `score-${event.seat}`) return;
      const beat = {
        duration: duration * (1 - SWEEP),
        delay: duration * SWEEP,
        level: ABOVE + was.index,
      };
      this.moves.set(key, { path: [card.at], beat });
    });
    const taking = this.board.lying.get(event.card);
    if (taking) {
      const beat = { duration, offsets: [LANDED, SWEEP], level: ABOVE + height };
      this.moves.set(event.card, { path: [landing, landing, taking.at], beat });
    }
    const kind = `take deck-${event.seat}`;
    pulse(this.board.slots[event.stack].spot, kind, duration);
    const middle = this.board.middleOf(`slot-${event.stack}`);
    this.#exclaim(middle, `+${event.takes}`, kind, weight);
    const bits = Math.round(weight * MOST_BITS);
    if (bits > 4) burst(this.board.layer, middle, () => markOf(event.seat), bits);
  }

  /** @param {import("../match/fold.js").Tie} event */
  #tie(event) {
    const meeting = this.#landing(event.stack, this.#height(event.stack) + 1);
    const width = this.board.width ?? 1;
    event.cards.forEach((card, at) => {
      const lying = this.board.lying.get(card) ?? this.#last(`discard-${ownerOf(card)}`);
      if (!lying) return;
      const side = (at - (event.cards.length - 1) / 2) * width * 0.62;
      const near = nudged(meeting, side, at * 3);
      const apart = nudged(meeting, side * 1.7, at * 3);
      const path = [near, apart, near, apart, lying.at];
      const beat = { duration: TIE * this.pace, offsets: [0.3, 0.4, 0.5, 0.62], level: ABOVE + at };
      this.moves.set(lying.key, { path, beat, open: true });
    });
    pulse(this.board.slots[event.stack].spot, "tie", TIE * this.pace);
    this.#exclaim(this.board.middleOf(`slot-${event.stack}`), gettext("Tie"), "tie");
  }

  /** A spot's top card: hidden ones have no code. @param {string} spot */
  #last(spot) {
    return [...this.board.lying.values()].filter((card) => card.spot === spot).pop();
  }

  /** @param {import("../match/fold.js").Try} event */
  #late(event) {
    const held = this.#held(event);
    if (!held) return;
    const slot = this.#landing(event.stack, this.#height(event.stack) + 1);
    const turn = between(held.at, slot, 0.55);
    const beat = { duration: LATE * this.pace, offsets: [0.45], level: ABOVE };
    this.moves.set(held.key, { path: [turn, held.at], beat });
    this.#exclaim({ x: turn.x + (this.board.width ?? 0) / 2, y: turn.y }, gettext("Late"), "late");
  }

  /** @param {import("../match/fold.js").Try} event */
  #miss(event) {
    const held = this.#held(event);
    if (!held) return;
    const path = [-6, 6, -5, 4, 0].map((dx) => nudged(held.at, dx));
    this.moves.set(held.key, { path, beat: { duration: MISS * this.pace, level: ABOVE } });
    this.#exclaim(this.board.middleOf(`hand-${event.seat}`), gettext("Mistake"), "miss");
  }

  /** @param {import("../match/fold.js").Try} event */
  #held(event) {
    const known = this.board.lying.get(event.card);
    return known ?? this.#last(`hand-${event.seat}`);
  }

  /** @param {number} seat */
  #out(seat) {
    const panel = this.board.seats[seat].element;
    pulse(panel, `out deck-${seat}`, TIE * this.pace);
    this.#exclaim(this.board.middleOf(`hand-${seat}`), gettext("OUT!"), `out deck-${seat}`);
  }

  /** @param {{x: number, y: number}} at @param {string} text @param {string} kind @param {number} [weight] */
  #exclaim(at, text, kind, weight = 0) {
    const duration = WORD * Math.max(this.pace, 0.5) * (1 + weight / 2);
    exclaim(this.board.layer, text, at, { kind, duration, weight });
  }
}

/**
 * Announces the winners over the table, with a burst of their marks.
 * @param {Board} board @param {number[]} winners
 * @param {number | null} [you] the seat of the player who sees it
 */
export function victory(board, winners, you = null) {
  const [first] = winners;
  const at = { x: board.root.clientWidth / 2, y: board.root.clientHeight * 0.4 };
  const one = first === you ? gettext("You win!") : gettext("{name} wins!");
  const words = winners.length > 1 ? gettext("A draw!") : one;
  const who = board.names[first];
  exclaim(board.layer, words, at, { kind: `win deck-${first}`, duration: VICTORY, who });
  let turn = 0;
  const mark = () => markOf(winners[turn++ % winners.length]);
  burst(board.layer, at, mark, VICTORY_BITS);
}
