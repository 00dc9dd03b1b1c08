/** Keys as commands: what a key is called on any layout, and which elements handle one themselves. */

/** Last clicked: browsers show keyboard focus there, too. @type {Element | null} */
let pointed = null;

if (typeof document !== "undefined") {
  const capture = { capture: true };
  addEventListener(
    "pointerdown",
    ({ target }) => {
      pointed = target instanceof Element ? target.closest("button, a, summary") : null;
    },
    capture,
  );
  addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Tab") pointed = null;
    },
    capture,
  );
}

/**
 * Whether an element handles a key itself: fields any, a button, link or summary Space and Enter,
 * but only if it was reached by keyboard. After a click, the next key is meant for the table.
 * @param {EventTarget | null} target @param {string} key
 */
export function keepsKey(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])"))
    return true;
  const button = target.closest("button, a, summary");
  return (key === " " || key === "Enter") && button !== null && button !== pointed;
}

/** Signs on other keys than letters and digits, without and with Shift. @type {Record<string, string>} */
const SIGNS = {
  BracketLeft: "[{",
  BracketRight: "]}",
  Comma: ",<",
  Period: ".>",
  Slash: "/?",
  Space: "  ",
};

/**
 * What a key is called: in small letters, and as on a Latin keyboard where the layout's own letters
 * are others, or an input method has taken it.
 * @param {{key: string, code?: string, shiftKey?: boolean}} event
 */
export function keyOf({ key, code = "", shiftKey = false }) {
  const named = key.length > 1 && !["Process", "Dead", "Unidentified"].includes(key);
  if (named || /^[ -~]$/.test(key)) return key.length === 1 ? key.toLowerCase() : key;
  const plain = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  return plain?.toLowerCase() ?? SIGNS[code]?.[Number(shiftKey)] ?? code;
}

/** Whether an input method is being used. @param {KeyboardEvent} event */
export const composes = ({ isComposing, keyCode }) => isComposing || keyCode === 229;

const REST_MS = 2000;

/** Drops letters, digits and Space for a while: after an answer they were meant for its cards. */
export function restKeys() {
  const rest = new AbortController();
  setTimeout(() => rest.abort(), REST_MS);
  const drop = (/** @type {KeyboardEvent} */ event) => {
    const shortcut = event.ctrlKey || event.altKey || event.metaKey;
    if (event.key.length > 1 || shortcut || keepsKey(event.target, event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", drop, { capture: true, signal: rest.signal });
}
