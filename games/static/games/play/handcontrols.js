/**
 * The player's hand and the slots as buttons over the board's cards, for pointer, touch or keys.
 *
 * A card is picked with a tap or its key, and played with a tap on a slot, the slot's key or by
 * dragging. A card with a single possible slot is played at once, if the player has chosen that.
 * The buttons show only their key and the picked card: the cards are the board's.
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("./seat.js").OwnSeat} OwnSeat
 * @typedef {import("../dom/settings.js").Settings} Settings
 * @typedef {{play: (card: string, slot: number | null, number?: number) => void, discard: (card: string) => void,
 *   unpicked?: () => void, picked?: () => void}} Handlers `unpicked`: a stack was chosen before any
 *   card. `picked`: another card is picked, or none.
 */

import { wantsStillness } from "../board/motion.js";
import { group } from "../dom/controls.js";
import { box, button, write } from "../dom/elements.js";
import { faceOf, HAND, ownerOf, WILD } from "../match/fold.js";
import { gettext } from "../words/gettext.js";
import { KEYS } from "./keyboard.js";

const DRAGGED = 10;
const SHAKE = [0, -6, 6, -4, 0].map((dx) => ({ translate: `${dx}px` }));

/** @param {string} card */
const named = (card) => (faceOf(card) === WILD ? gettext("Wild") : String(faceOf(card)));

export class HandControls {
  /**
   * @param {Board} board @param {OwnSeat} own @param {Settings} settings @param {Handlers} handlers
   */
  constructor(board, own, settings, handlers) {
    this.board = board;
    this.own = own;
    this.settings = settings;
    this.handlers = handlers;
    /** @type {string | null} */
    this.picked = null;
    /** Whether the next card picked is discarded. */
    this.discarding = false;
    this.buttons = Array.from({ length: HAND }, (_, place) => this.#button(place));
    this.slots = board.slots.map((_, slot) => this.#slot(slot));
    /** The slots' keys, below the stacks: above them they would hide cards. */
    this.slotKeys = board.slots.map(({ label }) => {
      const key = box("kbd", "slot-key if-any");
      label.prepend(key);
      return key;
    });
    this.numbers = box("div", "hand-numbers row middle");
    const hand = group(gettext("Your hand"), "hand-places over", ...this.buttons);
    const middle = group(gettext("Stacks"), "slot-places over", ...this.slots, this.numbers);
    board.root.append(middle, hand);
  }

  /** The cards, by place in the hand. */
  get places() {
    const here = this.own.hand;
    return this.board.hands[this.own.seat].map((card) =>
      card && here.includes(card) ? card : null,
    );
  }

  /** @param {number} place */
  #button(place) {
    const key = box("kbd", "place-key text-xs");
    const button = box("button", { class: "hand-place", type: "button" }, key);
    button.addEventListener("pointerdown", (event) => this.#grab(event, place));
    button.addEventListener("click", (event) => event.detail === 0 && this.pick(place));
    return button;
  }

  /** @param {number} slot */
  #slot(slot) {
    const button = box("button", { class: "slot-place", type: "button" });
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.layOn(slot);
    });
    button.addEventListener("click", (event) => event.detail === 0 && this.layOn(slot));
    return button;
  }

  /**
   * A card with a single possible slot is played on pointer-down. Others may be dragged.
   * @param {PointerEvent} event @param {number} place
   */
  #grab(event, place) {
    if (event.button !== 0) return;
    event.preventDefault();
    const card = this.places[place];
    this.pick(place);
    if (card && this.own.hand.includes(card) && this.#element(card)) this.#drag(event, place, card);
  }

  /** @param {PointerEvent} event @param {number} place @param {string} card */
  #drag(event, place, card) {
    const button = this.buttons[place];
    const style = /** @type {HTMLElement} */ (this.#element(card)).style;
    /** @param {PointerEvent} to */
    const far = (to) =>
      Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > DRAGGED;
    /** @param {PointerEvent} to */
    const move = (to) =>
      far(to) &&
      style.setProperty(
        "translate",
        `${to.clientX - event.clientX}px ${to.clientY - event.clientY}px`,
      );
    const watch = new AbortController();
    /** @param {PointerEvent} to */
    const drop = (to) => {
      watch.abort();
      style.removeProperty("translate");
      if (to.type === "pointerup" && far(to)) this.#dropAt(card, to.clientX, to.clientY);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", move, { signal: watch.signal });
    button.addEventListener("pointerup", drop, { signal: watch.signal });
    button.addEventListener("pointercancel", drop, { signal: watch.signal });
  }

  /** @param {string} card @param {number} x @param {number} y */
  #dropAt(card, x, y) {
    /** @param {Element | undefined} element */
    const within = (element) => {
      const { left, right, top, bottom } = element?.getBoundingClientRect() ?? new DOMRect();
      return x >= left && x <= right && y >= top && y <= bottom;
    };
    const slot = this.slots.findIndex(within);
    const pile = this.board.seats[this.own.seat].spots.get(`discard-${this.own.seat}`);
    if (slot >= 0) this.#lay(card, slot);
    else if (within(pile)) this.#discard(card);
  }

  /** Pick the card at a place. If only one slot is possible, play it. @param {number} place */
  pick(place) {
    const card = this.places[place];
    if (!card) return;
    if (this.discarding) {
      this.#discard(card);
      return;
    }
    const again = this.picked === card;
    this.picked = again ? null : card;
    if (this.settings.quick && !again) this.handlers.play(card, null);
    this.show();
    this.handlers.picked?.();
  }

  /** Play the picked card on a slot. @param {number} slot @param {number} [number] */
  layOn(slot, number) {
    if (this.picked) this.#lay(this.picked, slot, number);
    else this.handlers.unpicked?.();
  }

  /** @param {string} card @param {number} slot @param {number} [number] */
  #lay(card, slot, number) {
    this.picked = card;
    this.handlers.play(card, slot, number);
    this.show();
  }

  discard() {
    if (this.picked) this.#discard(this.picked);
    else {
      this.discarding = !this.discarding;
      this.show();
    }
  }

  /** @param {string} card */
  #discard(card) {
    this.letGo();
    this.handlers.discard(card);
  }

  letGo() {
    this.picked = null;
    this.discarding = false;
    this.show();
  }

  /** @param {string} card */
  #element(card) {
    return this.board.cards.get(card);
  }

  /** Shake a card that fits nowhere. @param {string} card */
  shake(card) {
    const places = [this.#element(card), this.buttons[this.places.indexOf(card)]];
    if (!wantsStillness()) places.forEach((place) => place?.animate(SHAKE, { duration: 260 }));
  }

  show() {
    if (this.picked && !this.own.hand.includes(this.picked)) this.picked = null;
    const keys = KEYS[this.settings.keys] ?? KEYS.letters;
    const { places } = this;
    this.buttons.forEach((button, place) =>
      this.#showCard(button, places[place], place, keys.hand[place]),
    );
    this.slots.forEach((button, slot) => this.#showSlot(button, slot, keys.slots[slot]));
    for (const [card, element] of this.board.cards)
      element.classList.toggle("picked", card === this.picked);
    this.#showNumbers();
  }

  /** @param {HTMLElement} button @param {{x: number, y: number, width: number, height: number}} spot */
  #put(button, { x, y, width, height }) {
    for (const [side, value] of Object.entries({ left: x, top: y, width, height })) {
      button.style.setProperty(side, `${value}px`);
    }
  }

  /** @param {HTMLButtonElement} button @param {string | null} card @param {number} place @param {string} key */
  #showCard(button, card, place, key) {
    const { seat } = this.own;
    const spot = this.board.spots.get(`hand-${seat}`) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = this.board.position({ spot: `hand-${seat}`, index: place, of: HAND });
    this.#put(button, {
      x: at.x,
      y: at.y,
      width: at.scale * (this.board.width ?? 1),
      height: spot.height,
    });
    write(/** @type {Element} */ (button.firstElementChild), key.toUpperCase());
    button.disabled = !card;
    button.setAttribute(
      "aria-label",
      card
        ? gettext("{card}, key {key}", { card: named(card), key: key.toUpperCase() })
        : gettext("No card"),
    );
    button.setAttribute("aria-pressed", String(card !== null && card === this.picked));
    button.classList.toggle("discarding", this.discarding);
    button.classList.toggle(
      "fits",
      this.settings.hints && card !== null && this.own.slotsFor(card).length > 0,
    );
  }

  /** @param {HTMLElement} button @param {number} slot @param {string} key */
  #showSlot(button, slot, key) {
    this.#put(button, this.board.spots.get(`slot-${slot}`) ?? { x: 0, y: 0, width: 0, height: 0 });
    write(this.slotKeys[slot], key.toUpperCase());
    const stack = this.own.table?.stacks[slot] ?? [];
    const top = this.own.top(slot);
    button.setAttribute("aria-label", slotWords(slot + 1, stack.length, top, key.toUpperCase()));
    button.classList.toggle(
      "fits",
      this.picked !== null && this.own.usesOn(this.picked, slot).length > 0,
    );
  }

  /** For a wild that may be played as a number, show a button for each. */
  #showNumbers() {
    const card = this.picked;
    const choices = card && faceOf(card) === WILD ? this.#choices(card) : [];
    this.numbers.hidden = !choices.length;
    const name = choices.map(({ slot, number }) => `${slot}:${number}`).join();
    if (this.numbers.dataset.choices === name) return;
    this.numbers.dataset.choices = name;
    this.numbers.className = `hand-numbers row middle deck-${ownerOf(card ?? "A")}`;
    this.numbers.replaceChildren(...choices.map((choice) => this.#number(choice)));
  }

  /** @param {string} card */
  #choices(card) {
    return this.own
      .slotsFor(card)
      .flatMap((slot) =>
        this.own
          .usesOn(card, slot)
          .flatMap((number) => (number && this.own.top(slot) ? [{ slot, number }] : [])),
      );
  }

  /** @param {{slot: number, number: number}} choice */
  #number({ slot, number }) {
    const all = { number, stack: slot + 1 };
    const label = gettext("Play the wild as a {number} on stack {stack}", all);
    const words = gettext("{number} on stack {stack}", all);
    return button({ class: "button small", "aria-label": label }, words, () =>
      this.layOn(slot, number),
    );
  }
}

/** @param {number} stack from 1 @param {number} height @param {number} top @param {string} key */
function slotWords(stack, height, top, key) {
  const all = { stack, height, top, key };
  if (!height) return gettext("Stack {stack}, free, key {key}", all);
  return top
    ? gettext("Stack {stack}, top {top}, {height} high, key {key}", all)
    : gettext("Stack {stack}, top taken soon, {height} high, key {key}", all);
}
