/** What is drawn again while somebody uses it keeps the keyboard's place. */

/**
 * Draws the content of an element again; the button in the place of the focused one gets the focus.
 * @param {HTMLElement} root @param {() => void} draw
 */
export function keepingFocus(root, draw) {
  const focused = /** @type {HTMLButtonElement} */ (document.activeElement);
  const place = [...root.querySelectorAll("button")].indexOf(focused);
  draw();
  if (place >= 0) root.querySelectorAll("button")[place]?.focus({ preventScroll: true });
}
