/**
 * Packed rounds, as `games/records/columns.py` writes them: columns in, record lines out.
 *
 * What the columns omit (which card, how many taken) is read from the table after the previous
 * lines.
 * @import { End, Fair, Line, Play, RoundEvent, Tie, Try } from "./fold.js"
 * @typedef {{v: number, r: number, c: string, k: string[], w: string, g: string,
 *   e: [string, number[], number[]] | null, b: number[], o: Line[],
 *   s: string, n: string, a: string, h: string, l: string, f?: Fair}} Packed
 */

import { faceOf, WILD } from "./fold.js";
import { Timeline } from "./timeline.js";

const VERSION = 1;
const FIRST = "#".charCodeAt(0);
const SKIPPED = "\\".charCodeAt(0);
const LARGE = 90;
const TICK = 64;
const SEATS = 5;
const DRAW = 0;
const PLAY = 1;
const DISCARD = 4;
const LATE = 7;
const MISS = 10;
const TIED = 13;
const OUT = 16;
const END = 17;
const OTHER = END * SEATS + 1;
const FACES = "12345R";

/** The number that a column's character encodes. @param {string} text @param {number} place */
function valueAt(text, place) {
  const code = text.charCodeAt(place);
  return code - FIRST - (code > SKIPPED ? 1 : 0);
}

/** A whole deck, sorted. @param {number} seat @param {string} counts */
function deckOf(seat, counts) {
  const letter = "ABCDE"[seat];
  const copies = [...FACES].map((face, place) =>
    Array.from(
      { length: valueAt(counts, place) },
      (_, copy) => letter + face + (copy + 10).toString(36),
    ),
  );
  return copies.flat();
}

/** @param {Packed} packed @param {string} deck @param {number} seat */
function unpackDeck(packed, deck, seat) {
  if (deck.includes(" ")) return deck;
  const cards = deckOf(seat, packed.c);
  return Array.from(deck, (_, place) => cards[valueAt(deck, place)]).join(" ");
}

/** Reads a column's numbers one by one. */
class Column {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.place = 0;
  }

  next() {
    this.place += 1;
    return valueAt(this.text, this.place - 1);
  }
}

/** The lines of one packed round, event by event. */
class Reader {
  /** @param {Packed} packed */
  constructor(packed) {
    if (packed.v !== VERSION) throw new RangeError(`columns of version ${packed.v}`);
    this.packed = packed;
    this.highs = new Column(packed.h);
    this.lows = new Column(packed.l);
    this.slots = new Column(packed.s);
    this.lags = new Column(packed.n);
    this.wilds = new Column(packed.w);
    this.ties = new Column(packed.g);
    this.acts = new Column(packed.a);
    this.big = packed.b.values();
    this.deal = {
      round: packed.r,
      decks: packed.k.map((deck, seat) => unpackDeck(packed, deck, seat)),
      ...(packed.f && { fair: packed.f }),
    };
    /** Reading a round folds it, so its owner need not fold it again. */
    this.timeline = new Timeline(this.deal);
    this.table = this.timeline.table;
    this.t = 0;
  }

  /** @param {Column} column @returns {number} */
  number(column) {
    const value = column.next();
    return value === LARGE ? (this.big.next().value ?? 0) : value;
  }

  time() {
    const high = this.number(this.highs);
    return high * TICK + this.lows.next();
  }

  /** How many events the player of a try had seen. @returns {number | undefined} */
  seen() {
    const lag = this.number(this.lags);
    return lag ? this.table.events + 1 - lag : undefined;
  }

  /** The event for an action's character. @param {number} act @returns {RoundEvent} */
  event(act) {
    this.t += this.time();
    const event = this.settled(act % SEATS, Math.floor(act / SEATS));
    this.timeline.add(event);
    return event;
  }

  /** @param {number} seat @param {number} what @returns {RoundEvent} */
  settled(seat, what) {
    const { t } = this;
    const hand = this.table.hands[seat];
    if (what === DRAW) {
      return {
        t,
        seat,
        do: "draw",
        card: /** @type {string} */ (this.table.drawPiles[seat].at(-1)),
      };
    }
    if (what < DISCARD) return this.play(seat, hand[what - PLAY]);
    if (what < LATE) return { t, seat, do: "discard", card: hand[what - DISCARD] };
    if (what < MISS) return this.vain(seat, "late", hand[what - LATE]);
    if (what < TIED) return this.vain(seat, "miss", hand[what - MISS]);
    if (what < OUT) return this.tie(seat, what - TIED);
    return what === OUT ? { t, seat, do: "out" } : this.end();
  }

  /** @param {number} seat @param {string} card @returns {Play} */
  play(seat, card) {
    const stack = this.slots.next();
    const seen = this.seen();
    const number = faceOf(card) === WILD ? this.wilds.next() : 0;
    const takes = faceOf(card) === 5 || (faceOf(card) === WILD && !number);
    return {
      t: this.t,
      seat,
      do: "play",
      card,
      stack,
      ...(number && { as: number }),
      ...(takes && { takes: this.table.stacks[stack].length + 1 }),
      ...(seen !== undefined && { seen }),
    };
  }

  /** @param {number} seat @param {"late" | "miss"} kind @param {string} card @returns {Try} */
  vain(seat, kind, card) {
    const stack = this.slots.next();
    const seen = this.seen();
    const number = faceOf(card) === WILD ? this.wilds.next() : 0;
    return { t: this.t, seat, do: kind, card, stack, ...(number && { as: number }), seen };
  }

  /** @param {number} seat @param {number} place of the first card in its hand @returns {Tie} */
  tie(seat, place) {
    const count = this.ties.next();
    const cards = [this.table.hands[seat][place]];
    const after = [0];
    const stack = this.slots.next();
    const seen = [this.seen()];
    while (cards.length < count) {
      const act = this.acts.next();
      cards.push(this.table.hands[act % SEATS][Math.floor(act / SEATS) - TIED]);
      after.push(after[after.length - 1] + this.time());
      this.slots.next();
      seen.push(this.seen());
    }
    const known = seen.filter((events) => events !== undefined);
    return { t: this.t, do: "tie", stack, cards, after, ...(known.length && { seen: known }) };
  }

  /** @returns {End} */
  end() {
    const [reason, scores, totals] = this.packed.e ?? ["", [], []];
    return { t: this.t, do: "end", reason, scores, totals };
  }
}

/**
 * All lines of a packed round in order: its deal, then its events and other lines (notes,
 * variations, the result), each as its record line's object.
 * @param {Packed} packed @returns {{lines: Line[], timeline: Timeline}}
 */
export function unpackRound(packed) {
  const reader = new Reader(packed);
  const others = packed.o.values();
  /** @type {Line[]} */
  const lines = [reader.deal];
  while (reader.acts.place < packed.a.length) {
    const act = reader.acts.next();
    const other = act === OTHER && others.next().value;
    lines.push(other || reader.event(act));
  }
  return { lines, timeline: reader.timeline };
}
