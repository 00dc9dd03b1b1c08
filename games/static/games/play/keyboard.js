/**
 * The player's keys. Combinations with Ctrl, Alt or Meta are left to the browser, and an element's
 * own keys to the element (`dom/keptkeys.js`). No DOM.
 * @typedef {{do: "hand" | "slot", number: number} | {do: "draw" | "discard" | "out" | "let"}
 *   | {do: "step", by: number} | {do: "now"}} Command  the last two look back, and stop doing so
 * @typedef {{key: string, code: string, shiftKey?: boolean, repeat?: boolean, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean}} Pressed
 */

import { keyOf } from "../dom/keptkeys.js";

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

/** As labelled: digits by position, regardless of Shift. @param {Pressed} event */
const signOf = (event) => (/^Digit\d$/.test(event.code) ? event.code[5] : keyOf(event));

/**
 * The command for a key.
 * @param {Pressed} event
 * @param {string} choice one of KEYS
 * @param {number} slots @returns {Command | null}
 */
export function commandOf(event, choice, slots) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const sign = signOf(event);
  if (LOOKS[sign]) return LOOKS[sign];
  if (event.repeat) return null;
  const keys = KEYS[choice] ?? KEYS.letters;
  const place = keys.hand.indexOf(sign);
  if (place >= 0) return { do: "hand", number: place };
  const slot = keys.slots.indexOf(sign);
  if (slot >= 0) return slot < slots ? { do: "slot", number: slot } : null;
  return OTHERS[sign] ?? null;
}

/** Until something is pressed. */
const kindOf = () => (matchMedia("(pointer: coarse), (width < 40rem)").matches ? "touch" : "mouse");

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
  become(kindOf());
  const capture = { capture: true, passive: true };
  addEventListener(
    "pointerdown",
    ({ pointerType }) => become(pointerType === "touch" ? "touch" : "mouse"),
    capture,
  );
  addEventListener("keydown", () => become("keys"), capture);
}
