// @ts-check
/**
 * The button last clicked with a pointer. Browsers show keyboard focus on it as soon as a key is
 * pressed, so they cannot be asked.
 */

/** @type {Element | null} */
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
 * Whether a button, link or summary handles Space or Enter itself: only if it was reached by
 * keyboard. After a click, the next key is meant for the table.
 * @param {Element} target
 */
export function takesPress(target) {
  const button = target.closest("button, a, summary");
  return button !== null && button !== pointed;
}
