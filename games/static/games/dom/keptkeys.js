/** Which elements handle a key themselves, so that it is no command. */

/**
 * The button last clicked with a pointer. Browsers show keyboard focus on it as soon as a key is
 * pressed, so they cannot be asked.
 * @type {Element | null}
 */
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
  addEventListener("keydown", ({ key }) => key === "Tab" && forget(), capture);
}

function forget() {
  pointed = null;
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
  return (key === " " || key === "Enter") && takesPress(target);
}

/** @param {Element} target */
function takesPress(target) {
  const button = target.closest("button, a, summary");
  return button !== null && button !== pointed;
}
