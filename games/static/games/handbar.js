// @ts-check
/**
 * The own hand as three large buttons, and a button over each slot; by pointer, touch or keys.
 *
 * A card is picked by a tap or its key, and laid by a tap on a slot, the slot's key or by
 * dragging it there. One whose only slot is clear is laid at once.
 *
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./seat.js").OwnSeat} OwnSeat
 * @typedef {import("./settings.js").Settings} Settings
 */

import { cardElement } from "./cards.js";
import { WILD, faceOf } from "./fold.js";
import { box, write } from "./panels.js";

const HAND = 3;
const DRAGGED = 12;

/** Which keys pick the hand's places and the slots. */
export const KEYS = /** @type {Record<string, {hand: string[], slots: string[]}>} */ ({
  letters: { hand: ["q", "w", "e"], slots: ["1", "2", "3", "4", "5"] },
  numbers: { hand: ["1", "2", "3"], slots: ["q", "w", "e", "r", "t"] },
});

/** @param {string} card */
const named = (card) => (faceOf(card) === WILD ? "wild" : String(faceOf(card)));

export class HandBar {
  /**
   * @param {HTMLElement} root
   * @param {Board} board
   * @param {OwnSeat} own
   * @param {Settings} settings
   * @param {{lay: (card: string | undefined, slot: number | null, number?: number) => void}} does
   */
  constructor(root, board, own, settings, does) {
    this.board = board;
    this.own = own;
    this.settings = settings;
    this.does = does;
    /** A card keeps its place in the hand. @type {(string | null)[]} */
    this.places = Array(HAND).fill(null);
    /** @type {string | null} */
    this.picked = null;
    this.buttons = this.places.map((_, place) => this.#button(place));
    this.numbers = box("div", "hand-numbers");
    root.append(...this.buttons, this.numbers);
    this.slots = board.slots.map((_, slot) => this.#slot(slot));
    board.root.append(...this.slots);
  }

  /** @param {number} place */
  #button(place) {
    const button = /** @type {HTMLButtonElement} */ (box("button", "hand-card"));
    button.type = "button";
    button.addEventListener("pointerdown", (event) => this.#grab(event, place));
    button.addEventListener("click", (event) => event.detail === 0 && this.pick(place));
    return button;
  }

  /** @param {number} slot */
  #slot(slot) {
    const button = /** @type {HTMLButtonElement} */ (box("button", "slot-target"));
    button.type = "button";
    button.addEventListener("pointerdown", () => this.layOn(slot));
    button.addEventListener("click", (event) => event.detail === 0 && this.layOn(slot));
    return button;
  }

  /** A card goes at pointer-down if its place is clear; else it may be dragged. @param {PointerEvent} event @param {number} place */
  #grab(event, place) {
    if (event.button !== 0) return;
    event.preventDefault();
    const card = this.places[place];
    this.pick(place);
    if (!card || this.picked !== card) return;
    const button = this.buttons[place];
    const start = { x: event.clientX, y: event.clientY };
    button.setPointerCapture(event.pointerId);
    /** @param {PointerEvent} moved */
    const move = (moved) =>
      button.style.setProperty("translate", `${moved.clientX - start.x}px ${moved.clientY - start.y}px`);
    /** @param {PointerEvent} ended */
    const drop = (ended) => {
      button.removeEventListener("pointermove", move);
      button.style.removeProperty("translate");
      const far = Math.hypot(ended.clientX - start.x, ended.clientY - start.y) > DRAGGED;
      const slot = far && ended.type === "pointerup" ? this.#slotAt(ended.clientX, ended.clientY) : -1;
      if (slot >= 0) this.layOn(slot);
    };
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", drop, { once: true });
    button.addEventListener("pointercancel", drop, { once: true });
  }

  /** @param {number} x @param {number} y */
  #slotAt(x, y) {
    return this.slots.findIndex((slot) => {
      const { left, right, top, bottom } = slot.getBoundingClientRect();
      return x >= left && x <= right && y >= top && y <= bottom;
    });
  }

  /** Pick the card at a place; picked twice, or with one clear place, it is laid. @param {number} place */
  pick(place) {
    const card = this.places[place];
    if (!card) return;
    const again = this.picked === card;
    this.picked = card;
    this.does.lay(card, null);
    if (again) this.picked = null;
    this.show();
  }

  /** @param {number} slot @param {number} [number] */
  layOn(slot, number) {
    this.does.lay(this.picked ?? undefined, slot, number);
    this.show();
  }

  /** The card that is picked, and from now on is not. */
  let() {
    const card = this.picked ?? undefined;
    this.picked = null;
    return card;
  }

  /** @param {string} card */
  shake(card) {
    const button = this.buttons[this.places.indexOf(card)];
    button?.animate([{ translate: "0" }, { translate: "-6px" }, { translate: "6px" }, { translate: "0" }], { duration: 220, iterations: 2 });
  }

  /** Draw the hand as the own seat has it. */
  show() {
    const hand = this.own.hand;
    this.places = this.places.map((card) => (card && hand.includes(card) ? card : null));
    for (const card of hand) if (!this.places.includes(card)) this.places[this.places.indexOf(null)] = card;
    if (this.picked && !hand.includes(this.picked)) this.picked = null;
    const keys = KEYS[this.settings.keys] ?? KEYS.letters;
    this.buttons.forEach((button, place) => this.#showCard(button, this.places[place], keys.hand[place]));
    this.slots.forEach((slot, number) => this.#showSlot(slot, number, keys.slots[number]));
    this.#showNumbers();
  }

  /** @param {HTMLButtonElement} button @param {string | null} card @param {string} key */
  #showCard(button, card, key) {
    if (button.dataset.card !== (card ?? "")) {
      button.dataset.card = card ?? "";
      button.replaceChildren(...(card ? [cardElement(card)] : []), box("kbd", "hand-key", key.toUpperCase()));
    }
    write(/** @type {Element} */ (button.lastElementChild), key.toUpperCase());
    button.disabled = !card;
    button.setAttribute("aria-label", card ? `${named(card)}, key ${key.toUpperCase()}` : "No card");
    button.setAttribute("aria-pressed", String(card !== null && card === this.picked));
    button.classList.toggle("fits", this.settings.hints && Boolean(card && this.own.slotsFor(card).length));
  }

  /** @param {HTMLElement} button @param {number} slot @param {string} key */
  #showSlot(button, slot, key) {
    const spot = this.board.spots.get(`slot-${slot}`) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (const [side, value] of Object.entries({ left: spot.x, top: spot.y, width: spot.width, height: spot.height })) {
      button.style.setProperty(side, `${value}px`);
    }
    if (button.dataset.key !== key) {
      button.dataset.key = key;
      button.replaceChildren(box("kbd", "slot-key", key.toUpperCase()));
    }
    button.setAttribute("aria-label", `Stack ${slot + 1}, key ${key.toUpperCase()}`);
    const fits = this.picked !== null && this.own.usesOn(this.picked, slot).length > 0;
    button.classList.toggle("fits", fits);
  }

  /** For a wild that may stand for a number, a button for each. */
  #showNumbers() {
    const card = this.picked;
    const wild = card !== null && faceOf(card) === WILD;
    const choices = wild
      ? this.own.slotsFor(card).flatMap((slot) =>
          this.own.usesOn(card, slot).flatMap((number) => (number && this.own.top(slot) ? [{ slot, number }] : [])),
        )
      : [];
    this.numbers.replaceChildren(
      ...choices.map(({ slot, number }) => {
        const button = box("button", "button small", `as ${number} on stack ${slot + 1}`);
        button.addEventListener("click", () => this.layOn(slot, number));
        return button;
      }),
    );
  }
}
