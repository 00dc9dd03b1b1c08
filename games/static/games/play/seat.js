/**
 * A player's own seat: the hand, and requests that are not confirmed yet.
 *
 * Only the player's own card is shown ahead of time: on its slot, marked, until the host answers.
 * Drawn cards and points are never guessed. A try that fits nothing shown is not sent, so an honest
 * slip costs nothing.
 *
 * No DOM and no rules: the host sends the fitting uses as a table (`uses[top][face]`).
 * @typedef {import("../match/fold.js").Table} Table
 * @typedef {import("../live/socket.js").Asked} Asked
 * @typedef {(number | null)[][][]} Uses
 * @typedef {{id: string, asked: Asked}} Waiting
 * @typedef {"sent" | "misfit" | "empty" | "choose"} Outcome
 */

import { faceOf } from "../match/fold.js";

export class OwnSeat {
  /**
   * @param {number} seat @param {Uses} uses
   * @param {(asked: Asked) => string} act asks the host and returns the request's id
   */
  constructor(seat, uses, act) {
    this.seat = seat;
    this.uses = uses;
    this.act = act;
    /** @type {Table | null} */
    this.table = null;
    /** @type {Waiting[]} */
    this.waiting = [];
  }

  /**
   * Whether a movement may be sent: a card on top of the player's own unconfirmed one waits until
   * that is settled, and is taken back if it no longer fits.
   * @param {Waiting} movement @returns {"go" | "wait" | "drop"}
   */
  judge({ id, asked }) {
    const { card, stack, as } = asked;
    if (!this.table || card === undefined || stack === undefined) return "go";
    const at = this.waiting.findIndex((waiting) => waiting.id === id);
    if (this.waiting.slice(0, at).some((waiting) => waiting.asked.stack === stack)) return "wait";
    const uses = this.uses[this.table.tops[stack]]?.[faceOf(card)] ?? [];
    if (uses.includes(as ?? null)) return "go";
    this.settle(id);
    return "drop";
  }

  /** Sets what the host has confirmed so far. @param {Table} table */
  confirm(table) {
    this.table = table;
    const hand = table.hands[this.seat];
    this.waiting = this.waiting.filter(({ asked }) => !asked.card || hand.includes(asked.card));
  }

  get hand() {
    const away = new Set(this.waiting.map(({ asked }) => asked.card));
    return (this.table?.hands[this.seat] ?? []).filter((card) => !away.has(card));
  }

  /** The cards on their way to a slot, oldest first. @param {number} slot */
  #onTheWay(slot) {
    return this.waiting.filter(({ asked }) => asked.do === "play" && asked.stack === slot);
  }

  /** A slot's top, including the player's card on its way. @param {number} slot */
  top(slot) {
    const own = this.#onTheWay(slot).at(-1)?.asked;
    if (own?.card) return own.as ?? (faceOf(own.card) < 5 ? faceOf(own.card) : 0);
    return this.table?.tops[slot] ?? 0;
  }

  /** null: as itself. A number: as a wild. @param {string} card @param {number} slot */
  usesOn(card, slot) {
    return this.uses[this.top(slot)]?.[faceOf(card)] ?? [];
  }

  /** The slots that a card fits. @param {string} card */
  slotsFor(card) {
    return (this.table?.tops ?? [])
      .map((_, slot) => slot)
      .filter((slot) => this.usesOn(card, slot).length);
  }

  /**
   * Play a card on a slot, or on the only one that it fits.
   * @param {string | undefined} card
   * @param {number | null} slot null: the only one that it fits
   * @param {number} [number] a wild's number
   * @returns {Outcome}
   */
  play(card, slot, number) {
    if (!card || !this.table) return "empty";
    if (slot === null) {
      const slots = this.distinctSlots(card);
      if (slots.length !== 1) return slots.length ? "choose" : "misfit";
      [slot] = slots;
    }
    const uses = this.usesOn(card, slot);
    if (!uses.length || (number !== undefined && !uses.includes(number))) return "misfit";
    const as = number ?? (uses.includes(null) ? undefined : (uses[0] ?? undefined));
    this.#ask({
      do: "play",
      card,
      stack: slot,
      ...(as !== undefined && { as }),
      seen: this.table.events,
    });
    return "sent";
  }

  /** The slots for a card, counting several free ones as one. @param {string} card */
  distinctSlots(card) {
    const slots = this.slotsFor(card);
    const free = slots.filter((slot) => this.top(slot) === 0);
    return slots.filter((slot) => !free.includes(slot) || slot === free[0]);
  }

  /** Draw a card. @returns {Outcome} */
  draw() {
    if (!this.table || this.waiting.some(({ asked }) => asked.do === "draw")) return "empty";
    if (!this.table.drawPiles[this.seat].length) return "empty";
    this.#ask({ do: "draw" });
    return "sent";
  }

  /** Discard a card. @param {string | undefined} card @returns {Outcome} */
  discard(card) {
    if (!card) return "empty";
    this.#ask({ do: "discard", card });
    return "sent";
  }

  shout() {
    this.#ask({ do: "out" });
  }

  /** Clear what is on its way: a new round, or no connection. */
  clear() {
    this.waiting = [];
  }

  /** The host has answered: a settled action no longer waits. @param {string} id */
  settle(id) {
    this.waiting = this.waiting.filter((waiting) => waiting.id !== id);
  }

  /** @param {Asked} asked */
  #ask(asked) {
    this.waiting.push({ id: this.act(asked), asked });
  }

  /**
   * The table as shown: the player's cards on their way are on their slots, taking nothing.
   * @returns {{table: Table, unconfirmed: string[]} | null}
   */
  shown() {
    if (!this.table) return null;
    const moving = this.waiting.filter(({ asked }) => asked.do === "play");
    const cards = moving.map(({ asked }) => asked.card ?? "");
    if (!cards.length) return { table: this.table, unconfirmed: [] };
    const table = Object.assign(Object.create(Object.getPrototypeOf(this.table)), this.table);
    table.hands = this.table.hands.map((hand, seat) =>
      seat === this.seat ? hand.filter((card) => !cards.includes(card)) : hand,
    );
    table.stacks = this.table.stacks.map((stack, slot) => [
      ...stack,
      ...this.#onTheWay(slot).map(({ asked }) => asked.card ?? ""),
    ]);
    return { table, unconfirmed: cards };
  }
}
