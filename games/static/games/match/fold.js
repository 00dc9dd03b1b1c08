/**
 * The fold: from a deal and its events to the table they make. No DOM, no rules.
 *
 * The same steps as `games/engine/table.py`, and the same digest. A card is its code (`A1c`). A
 * card that this viewer may not see is its deck letter and `?` (`A?`).
 * @typedef {{commit: string, seed?: string, salts: string[]}} Fair  the source of a deal's decks
 * @typedef {{round: number, decks: string[], fair?: Fair}} Deal
 * @typedef {{t: number, seat: number, do: "play", card: string, stack: number,
 *   as?: number, takes?: number, seen?: number}} Play
 * @typedef {{t: number, seat: number, do: "draw" | "discard", card?: string}} Pile
 * @typedef {{t: number, do: "tie", stack: number, cards: string[], after: number[],
 *   seen?: number[]}} Tie
 * @typedef {{t: number, seat: number, do: "late" | "miss", card: string, stack: number,
 *   as?: number, seen?: number}} Try
 * @typedef {{t: number, seat: number, do: "out"}} Out
 * @typedef {{t: number, do: "end", reason: string, scores: number[], totals: number[]}} End
 * @typedef {Play | Pile | Tie | Try | Out | End} RoundEvent
 * @typedef {{result: number[], totals: number[]}} Result
 * @typedef {{round: number, event: number, by?: string, glyph?: string, text?: string,
 *   marks?: string[], variation?: boolean}} Remark
 * @typedef {Deal | RoundEvent | Result | {note: Remark} | {variation: Remark}} Line
 * @typedef {"all" | "spectator" | number} View  whose perspective. A
 *   number: that seat's own
 */

const LETTERS = "ABCDE";
/** The most cards in a hand. */
export const HAND = 3;
export const WILD = 6;

/** Whose deck a card belongs to. @param {string} card */
export const ownerOf = (card) => LETTERS.indexOf(card[0]);

/** 1 to 5, WILD, or 0 for a hidden card. @param {string} card */
export const faceOf = (card) => (card[1] === "R" ? WILD : Number(card[1]) || 0);

/** The code of a hidden card of a seat. @param {number} seat */
const hiddenCard = (seat) => `${LETTERS[seat]}?`;

/** Where every card of a round is after its first `events` events. The top of a pile comes last. */
export class Table {
  /** @param {string[][]} decks each seat's deck, top card first */
  constructor(decks) {
    this.seats = decks.length;
    /** False: the table waits for its first deal. */
    this.dealt = decks.some((deck) => deck.length);
    this.hands = decks.map((deck) => deck.slice(0, HAND));
    this.drawPiles = decks.map((deck) => deck.slice(HAND).reverse());
    this.discardPiles = decks.map(() => /** @type {string[]} */ ([]));
    this.scorePiles = decks.map(() => /** @type {string[]} */ ([]));
    this.stacks = decks.map(() => /** @type {string[]} */ ([]));
    /** For each slot 0 (free), or its top's number. */
    this.tops = decks.map(() => 0);
    this.events = 0;
    this.t = 0;
    /** @type {string | null} */
    this.ended = null;
  }

  /** Score pile minus draw and discard piles. @param {number} seat */
  score(seat) {
    return this.scorePiles[seat].length - this.left(seat);
  }

  /** @param {number} seat */
  left(seat) {
    return this.drawPiles[seat].length + this.discardPiles[seat].length;
  }
}

/** The table before a round's first event. @param {Deal} line */
export const deal = (line) => new Table(line.decks.map((deck) => deck.split(" ")));

/** An independent copy. @param {Table} table */
export function copyOf(table) {
  /** @type {Table} */
  const copy = Object.assign(Object.create(Table.prototype), table);
  copy.hands = table.hands.map((cards) => cards.slice());
  copy.drawPiles = table.drawPiles.map((cards) => cards.slice());
  copy.discardPiles = table.discardPiles.map((cards) => cards.slice());
  copy.scorePiles = table.scorePiles.map((cards) => cards.slice());
  copy.stacks = table.stacks.map((cards) => cards.slice());
  copy.tops = table.tops.slice();
  return copy;
}

/** @param {Table} table @param {number} seat @param {string} card */
function leaveHand(table, seat, card) {
  const hand = table.hands[seat];
  const known = hand.indexOf(card);
  const at = known >= 0 ? known : hand.indexOf(hiddenCard(seat));
  if (at >= 0) hand.splice(at, 1);
}

/** Discards are drawn again, unshuffled. @param {Table} table @param {number} seat */
function turnOver(table, seat) {
  if (table.drawPiles[seat].length) return;
  table.drawPiles[seat] = table.discardPiles[seat];
  table.discardPiles[seat] = [];
}

/** @param {Table} table @param {number} seat @param {string} card */
function putAside(table, seat, card) {
  leaveHand(table, seat, card);
  table.discardPiles[seat].push(card);
  turnOver(table, seat);
}

/** @param {Table} table @param {Play} play */
function lay(table, play) {
  const stack = table.stacks[play.stack];
  leaveHand(table, play.seat, play.card);
  stack.push(play.card);
  if (play.takes === undefined) {
    table.tops[play.stack] = play.as ?? faceOf(play.card);
    return;
  }
  table.scorePiles[play.seat].push(...stack);
  table.stacks[play.stack] = [];
  table.tops[play.stack] = 0;
}

/** @param {Table} table @param {Pile} event */
function draw(table, { seat, card }) {
  table.drawPiles[seat].pop();
  table.hands[seat].push(card ?? hiddenCard(seat));
  turnOver(table, seat);
}

/** @param {Table} table @param {RoundEvent} event */
export function apply(table, event) {
  if (event.do === "play") lay(table, event);
  else if (event.do === "draw") draw(table, event);
  else if (event.do === "discard")
    putAside(table, event.seat, event.card ?? hiddenCard(event.seat));
  else if (event.do === "tie") event.cards.forEach((card) => putAside(table, ownerOf(card), card));
  else if (event.do === "end") table.ended = event.reason;
  table.events += 1;
  table.t = event.t;
}

/** @param {string} label @param {string[]} cards */
const row = (label, cards) => `${label} ${cards.join(" ")}`;

/** The text from which the digest is computed. @param {Table} table */
function picture(table) {
  const lines = table.stacks.map((stack, slot) => row(`s${slot} ${table.tops[slot]}`, stack));
  for (let seat = 0; seat < table.seats; seat += 1) {
    lines.push(
      row(`h${seat}`, table.hands[seat]),
      row(`d${seat}`, [...table.drawPiles[seat]].reverse()),
      row(`x${seat}`, [...table.discardPiles[seat]].reverse()),
      row(`p${seat}`, table.scorePiles[seat]),
    );
  }
  return [...lines, `n${table.events} t${table.t}`].join("\n");
}

/** 32-bit FNV-1a of the table's picture, as 8 hex digits. @param {Table} table */
export function digest(table) {
  let hash = 0x811c9dc5;
  for (const sign of picture(table)) hash = Math.imul(hash ^ sign.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Whether a viewer sees the faces of a seat's hand. @param {View} view @param {number} seat */
export const seesHand = (view, seat) => view === "all" || view === seat;
