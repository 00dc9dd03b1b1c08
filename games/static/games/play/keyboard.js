/**
 * The player’s keys and buttons, what to press in words, and drawing without being asked. Combinations with Ctrl, Alt or Meta
 * are left to the browser, and an element’s own keys to the element (`dom/keptkeys.js`).
 * @typedef {{do: "hand" | "slot", number: number} | {do: "draw" | "discard" | "out" | "let"}
 *   | {do: "step", by: number} | {do: "now"}} Command  the last two look back, and stop doing so
 * @typedef {{key: string, code: string, shiftKey?: boolean, repeat?: boolean, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean}} Pressed
 * @typedef {{pointed: string, key?: string, place?: number, slot?: number}} Pressing  what is
 *   pointed at, and its key: a fixed one, or that of a place or slot, from 1
 * @typedef {import("./controller.js").SeatController} SeatController
 * @typedef {import("../dom/clock.js").Clock} Clock
 * @import { Hand, Press } from "./lessons.js"
 * @typedef {import("./actionqueue.js").PendingActions} PendingActions
 */

import { CLOCK } from "../dom/clock.js";
import { byId } from "../dom/elements.js";
import { keepsKey, keyOf } from "../dom/keptkeys.js";
import { faceOf, HAND, WILD } from "../match/fold.js";
import { faceName, stackName } from "../match/words.js";
import { gettext, pgettext } from "../words/gettext.js";

/** Which keys pick the hand's places and the slots. */
export const KEYS = /** @type {Record<string, {hand: string[], slots: string[]}>} */ ({
  letters: { hand: ["q", "w", "e"], slots: ["1", "2", "3", "4", "5"] },
  numbers: { hand: ["1", "2", "3"], slots: ["q", "w", "e", "r", "t"] },
});

const LOOKS = /** @type {Record<string, Command>} */ ({
  ArrowLeft: { do: "step", by: -1 },
  ArrowRight: { do: "step", by: 1 },
  l: { do: "now" },
});

const OTHERS = /** @type {Record<string, Command>} */ ({
  " ": { do: "draw" },
  d: { do: "discard" },
  o: { do: "out" },
  Escape: { do: "let" },
});

/**
 * The command for a key.
 * @param {Pressed} event
 * @param {string} choice one of KEYS
 * @param {number} slots @returns {Command | null}
 */
export function commandOf(event, choice, slots) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  // As labelled: digits by position, regardless of Shift.
  const sign = /^Digit\d$/.test(event.code) ? event.code[5] : keyOf(event);
  if (LOOKS[sign]) return LOOKS[sign];
  if (event.repeat) return null;
  const keys = KEYS[choice] ?? KEYS.letters;
  const place = keys.hand.indexOf(sign);
  if (place >= 0) return { do: "hand", number: place };
  const slot = keys.slots.indexOf(sign);
  if (slot >= 0) return slot < slots ? { do: "slot", number: slot } : null;
  return OTHERS[sign] ?? null;
}

/** What is in use: touch, mouse or keys. */
export const inUse = () => document.body.dataset.input ?? "mouse";

/** Starts watching. @param {() => void} [changed] */
export function watchInput(changed = () => {}) {
  /** @param {string} kind */
  const become = (kind) => {
    if (document.body.dataset.input === kind) return;
    document.body.dataset.input = kind;
    changed();
  };
  become(matchMedia("(pointer: coarse), (width < 40rem)").matches ? "touch" : "mouse");
  const capture = { capture: true, passive: true };
  addEventListener(
    "pointerdown",
    ({ pointerType }) => become(pointerType === "touch" ? "touch" : "mouse"),
    capture,
  );
  addEventListener("keydown", () => become("keys"), capture);
}

/** @param {SeatController} seat */
export function bindKeys(seat) {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.defaultPrevented || keepsKey(event.target, event.key) || !seat.controls) return;
    const command = commandOf(event, seat.settings.keys, seat.names.length);
    if (command && obey(seat, command)) event.preventDefault();
  });
}

/** Obeys a key. Returns whether it did. @param {SeatController} seat @param {Command} command */
function obey(seat, command) {
  if (command.do === "step") seat.lookback.step(command.by);
  else if (command.do === "now") seat.lookback.end();
  else if (!seat.playing) return false;
  else if (seat.here()) act(seat, command);
  return true;
}

/** @param {SeatController} seat @param {Command} command */
function act(seat, command) {
  const { controls } = seat;
  if (command.do === "hand") controls?.pick(command.number);
  else if (command.do === "slot") controls?.layOn(command.number);
  else if (command.do === "draw") seat.draw();
  else if (command.do === "discard") controls?.discard();
  else if (command.do === "out") seat.out();
  else controls?.letGo();
  seat.show([], true);
}

/** @param {string} name */
const buttonOf = (name) => document.querySelector(`[data-do=${name}]`);

export class Buttons {
  /** @param {Record<string, () => void>} does by the button's name @param {() => void} done after any */
  constructor(does, done) {
    for (const [name, run] of Object.entries({ ...does, options: toggleOptions })) {
      const button = buttonOf(name);
      button?.addEventListener("pointerdown", (event) => event.preventDefault());
      button?.addEventListener("click", () => {
        run();
        done();
      });
    }
  }

  /** @param {{out: boolean, draw: boolean, discarding: boolean, drawn: boolean}} now `drawn`: cards are drawn without a button */
  show({ out, draw, discarding, drawn }) {
    const button = /** @type {HTMLElement | null} */ (buttonOf("draw"));
    if (button) button.hidden = drawn;
    buttonOf("out")?.classList.toggle("calls", out);
    buttonOf("draw")?.classList.toggle("calls", draw);
    buttonOf("discard")?.setAttribute("aria-pressed", String(discarding));
  }
}

function toggleOptions() {
  const options = byId("options");
  options.hidden = !options.hidden;
  buttonOf("options")?.setAttribute("aria-expanded", String(!options.hidden));
  if (!options.hidden) options.scrollIntoView({ block: "nearest" });
}

/** The shortest wait, in ms, before looking again whether the hand is free. */
const LOOK_MS = 30;

export class AutoDraw {
  /**
   * @param {PendingActions} pending
   * @param {() => boolean} wanted whether it may draw now
   * @param {Clock} [clock]
   */
  constructor({ own, hand }, wanted, clock = CLOCK) {
    this.own = own;
    this.hand = hand;
    this.wanted = wanted;
    this.clock = clock;
    this.looking = false;
  }

  /** Draws now, or looks again once the hand is free. */
  check() {
    const { own, hand } = this;
    const room = own.hand.length < HAND && own.table?.drawPiles[own.seat].length;
    if (!room || !this.wanted() || own.waiting.length || this.looking) return;
    if (hand.wait === 0 && !hand.busy) own.draw();
    else {
      this.looking = true;
      this.clock.later(Math.max(hand.wait, LOOK_MS), () => {
        this.looking = false;
        this.check();
      });
    }
  }
}

/**
 * What to press, in words.
 * @param {Press} press
 * @param {Hand} hand
 * @param {string} by the player's input: touch, mouse or keys
 * @param {{hand: string[], slots: string[]}} keys
 */
export function wayTo(press, hand, by, keys) {
  const [one, two] = stepsOf(press, hand);
  /** @param {Pressing | undefined} step */
  const said = (step) => step && (by === "keys" ? labelOf(keyFor(step, keys)) : step.pointed);
  const all = { first: said(one) ?? "", second: said(two) ?? "" };
  if (by === "keys")
    return two ? gettext("Press {first}, then {second}.", all) : gettext("Press {first}.", all);
  if (by === "touch")
    return two ? gettext("Tap {first}, then {second}.", all) : gettext("Tap {first}.", all);
  return two ? gettext("Click {first}, then {second}.", all) : gettext("Click {first}.", all);
}

/** @param {Pressing} step @param {{hand: string[], slots: string[]}} keys */
const keyFor = ({ key, place = 0, slot = 0 }, keys) =>
  key ?? (slot ? keys.slots[slot - 1] : keys.hand[place - 1]);

/** @param {string} key */
function labelOf(key) {
  if (key === "Space") return gettext("Space");
  return key.length === 1 ? key.toUpperCase() : key;
}

/** @param {string} card */
const yourCard = (card) =>
  faceOf(card) === WILD
    ? gettext("your wild")
    : pgettext("a number", "your {face}", { face: faceName(card) });

/**
 * What is still to be pressed. A choice to discard is undone before a card is played.
 * @param {Press} press @param {Hand} hand @returns {Pressing[]}
 */
function stepsOf(press, { places, picked, discarding }) {
  if (press.do === "draw") return [{ pointed: gettext("Draw"), key: "Space" }];
  if (press.do === "out") return [{ pointed: gettext("OUT!"), key: "O" }];
  const card = press.do === "discard" ? press.card : press.fitting.card;
  const own = { pointed: yourCard(card), place: places.indexOf(card) + 1 };
  const pile = { pointed: gettext("Discard"), key: "D" };
  if (press.do === "discard") return discarding ? [own] : picked === card ? [pile] : [pile, own];
  const { slot, only } = press.fitting;
  const stack = { pointed: stackName(slot), slot: slot + 1 };
  const steps = picked === card ? [stack] : only ? [own] : [own, stack];
  return discarding ? [pile, ...steps] : steps;
}
