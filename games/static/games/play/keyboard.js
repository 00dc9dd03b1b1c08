// @ts-check
/**
 * The player's keys. They are inactive while somebody types or chooses, and leave combinations with
 * Ctrl, Alt or Meta to the browser. No DOM except the event's target.
 *
 * @typedef {{do: "hand" | "slot", number: number} | {do: "draw" | "discard" | "out" | "let"}
 *   | {do: "step", by: number} | {do: "now"}} Command  the last two look back, and stop doing so
 * @typedef {{key: string, code: string, repeat?: boolean, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean}} Pressed
 */

import { takesPress } from "../dom/pointed.js";

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
 * The key as labelled on the button: digits by position, regardless of Shift.
 * @param {Pressed} event
 */
const signOf = ({ key, code }) =>
  /^Digit\d$/.test(code) ? code[5] : key.length === 1 ? key.toLowerCase() : key;

/**
 * The command for a key.
 * @param {Pressed} event
 * @param {string} choice one of KEYS
 * @param {number} slots
 * @returns {Command | null}
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

/**
 * Whether an element handles a key itself; a button does so only while it visibly has keyboard
 *   focus, not after a mouse click.
 * @param {EventTarget | null} target
 * @param {string} key
 */
export function keepsKey(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])"))
    return true;
  const pressed = key === " " || key === "Enter";
  return pressed && takesPress(target);
}
