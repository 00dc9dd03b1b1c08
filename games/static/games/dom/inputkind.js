/**
 * The current input: fingers, a mouse or keys. Texts adapt, so that touch users do not read about
 * keys: `body[data-input=touch]` hides the class `for-keys`.
 */

const kindOf = () => (matchMedia("(pointer: coarse)").matches ? "touch" : "mouse");

/** What is in use: touch, mouse or keys. */
export const inUse = () => document.body.dataset.input ?? "mouse";

export const byTouch = () => inUse() === "touch";

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
