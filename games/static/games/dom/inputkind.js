// @ts-check
/**
 * What the page is used with just now: fingers, a mouse or keys. Words follow it, so that nobody
 * who taps is told of keys: `body[data-input=touch]` hides what has the class `for-keys`.
 */

const kindOf = () => (matchMedia("(pointer: coarse)").matches ? "touch" : "keys");

/** Whether fingers are used. */
export const byTouch = () => document.body.dataset.input === "touch";

/** Watches from now on. @param {() => void} [changed] */
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
    ({ pointerType }) => become(pointerType === "touch" ? "touch" : "keys"),
    capture,
  );
  addEventListener("keydown", () => become("keys"), capture);
}
