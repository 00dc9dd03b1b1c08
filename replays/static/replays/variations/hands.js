/**
 * The hands of all seats on the replay's table, playable like a player's own: one seat at a time has the
 * live table's buttons and keys, and touching another seat switches to it, unless only one may play.
 * @typedef {import("../../games/board/board.js").Board} Board
 * @typedef {import("../../games/match/fold.js").Table} Table
 * @typedef {import("../../games/live/socket.js").Asked} Asked
 * @typedef {{ask: (seat: number, asked: Asked) => void, say: (words: string) => void,
 *   chosen: () => void, back: () => void, done: () => void}} Handlers
 */

import { keepsKey, keyOf } from "../../games/dom/keptkeys.js";
import { load } from "../../games/dom/settings.js";
import { faceOf, HAND, WILD } from "../../games/match/fold.js";
import { faceName } from "../../games/match/words.js";
import { HandControls } from "../../games/play/handcontrols.js";
import { commandOf } from "../../games/play/keyboard.js";
import { OwnSeat } from "../../games/play/seat.js";
import { gettext } from "../../games/words/gettext.js";

/** Whose hands are open on a table: one set at a time. @type {WeakMap<Board, TableHands>} */
const opened = new WeakMap();

export class TableHands {
  /**
   * @param {Board} board @param {import("../../games/play/seat.js").Uses} uses
   * @param {Handlers} handlers @param {{only?: number | null, hints?: boolean}} [limits] `only`:
   *   the one seat that plays, null: any. `hints`: whether fitting cards are marked.
   */
  constructor(board, uses, handlers, { only = null, hints = true } = {}) {
    this.board = board;
    this.uses = uses;
    this.handlers = handlers;
    this.only = only;
    this.open = false;
    this.own = this.#seat(only ?? 0);
    const settings = { ...load(), hints };
    this.controls = new HandControls(board, this.own, settings, {
      play: (card, slot, number) => this.#play(card, slot, number),
      discard: (card) => this.own.discard(card),
      unpicked: () => this.handlers.say(gettext("Choose a card first, then the stack.")),
    });
    this.settings = settings;
    board.root.addEventListener("pointerdown", (event) => this.#touched(event));
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    new ResizeObserver(() => this.show()).observe(board.root);
    this.#hide(true);
  }

  /** @param {number} seat */
  #seat(seat) {
    return new OwnSeat(seat, this.uses, (asked) => {
      this.handlers.ask(seat, asked);
      return asked.card ?? asked.do;
    });
  }

  /** Whether hands can be played. @param {boolean} open */
  toggle(open) {
    const other = opened.get(this.board);
    if (open && other !== this) other?.handlers.done();
    if (open) opened.set(this.board, this);
    else if (other === this) opened.delete(this.board);
    this.open = open;
    this.board.root.classList.toggle("is-branching", open);
    this.#hide(!open);
    this.controls.letGo();
  }

  /** Of the hands on one table only those that are open have their buttons. @param {boolean} hidden */
  #hide(hidden) {
    const { buttons, slots } = this.controls;
    for (const [control] of [buttons, slots])
      control.parentElement?.toggleAttribute("hidden", hidden);
  }

  /** Switches to playing a seat. @param {number} seat */
  choose(seat) {
    const { table } = this.own;
    this.own = this.#seat(seat);
    if (table) this.own.confirm(table);
    this.controls.own = this.own;
    this.controls.letGo();
    this.handlers.chosen();
  }

  /** The table has changed: nothing is on its way any more. @param {Table} table */
  follow(table) {
    this.own.clear();
    this.own.confirm(table);
    this.show();
  }

  show() {
    if (this.open) this.controls.show();
  }

  /** @param {string} card @param {number | null} slot @param {number} [number] */
  #play(card, slot, number) {
    const outcome = this.own.play(card, slot, number);
    if (outcome === "sent") this.controls.letGo();
    if (outcome === "choose")
      this.handlers.say(gettext("It fits on more than one stack: choose one."));
    if (outcome !== "misfit") return;
    this.controls.shake(card);
    const all = { card: faceName(card), stack: (slot ?? 0) + 1 };
    this.handlers.say(
      slot !== null
        ? gettext("The {card} does not fit stack {stack}.", all)
        : faceOf(card) === WILD
          ? gettext("The wild does not fit anywhere.")
          : gettext("The {card} does not fit anywhere.", all),
    );
  }

  draw() {
    if (this.own.hand.length >= HAND) this.handlers.say(gettext("The hand is full."));
    else if (this.own.draw() !== "sent")
      this.handlers.say(gettext("There are no cards left to draw."));
  }

  discard() {
    this.controls.discard();
    if (this.controls.discarding) this.handlers.say(gettext("Choose the card to discard."));
  }

  out() {
    this.own.shout();
  }

  /** @param {PointerEvent} event */
  #touched(event) {
    if (!this.open || event.button || !(event.target instanceof Element)) return;
    const panel = event.target.closest(".seat");
    const seat = this.board.seats.findIndex(({ element }) => element === panel);
    if (seat < 0 || (this.only !== null && seat !== this.only)) return;
    event.preventDefault();
    if (seat !== this.own.seat) this.choose(seat);
    if (event.target.closest(".spot-draw")) this.draw();
    else this.#pickAt(event.clientX, event.clientY);
  }

  /** If its seat has just been chosen. @param {number} x @param {number} y */
  #pickAt(x, y) {
    const place = this.controls.buttons.findIndex((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      return x >= left && x <= right && y >= top && y <= bottom;
    });
    if (place >= 0) this.controls.pick(place);
  }

  /** A live table's, the next seat and undo. @param {KeyboardEvent} event */
  #key(event) {
    if (!this.open || event.defaultPrevented || keepsKey(event.target, event.key)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const own = this.#ownKey(keyOf(event));
    const command = own ? null : commandOf(event, this.settings.keys, this.board.seats.length);
    if (!own && (!command || command.do === "step" || command.do === "now")) return;
    event.preventDefault();
    if (own) own();
    else if (command) this.#do(command);
  }

  /** @param {string} key */
  #ownKey(key) {
    if (key === "s" && this.only === null)
      return () => this.choose((this.own.seat + 1) % this.board.seats.length);
    if (key === "Backspace" && this.only === null) return this.handlers.back;
    const idle = !this.controls.picked && !this.controls.discarding;
    return key === "Escape" && idle ? this.handlers.done : null;
  }

  /** @param {import("../../games/play/keyboard.js").Command} command */
  #do(command) {
    if (command.do === "hand") this.controls.pick(command.number);
    else if (command.do === "slot") this.controls.layOn(command.number);
    else if (command.do === "draw") this.draw();
    else if (command.do === "discard") this.discard();
    else if (command.do === "out") this.out();
    else this.controls.letGo();
  }
}
