// @ts-check
/**
 * Which button was clicked with a pointer last. Browsers show the keyboard's focus on it as soon
 * as a key is pressed, so they cannot be asked.
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
 * Whether a button, link or summary takes Space or Enter for itself: if the keyboard has led
 * there. Who has clicked it means the table with the next key.
 * @param {Element} target
 */
export function takesPress(target) {
  const button = target.closest("button, a, summary");
  return button !== null && button !== pointed;
}
