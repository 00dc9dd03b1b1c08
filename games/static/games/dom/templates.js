/**
 * lit-html: lists and forms as templates. Drawn again, they change only what differs: nodes stay,
 * and so do focus, selection and what others have put in.
 */

import { html, nothing, render } from "./vendor/lit-html-3.3.3.js";

export { html, nothing, render };

/** Handles a field's event by its value. @param {(value: string) => unknown} take */
export const entered =
  (take) =>
  (/** @type {Event} */ { target }) =>
    take(/** @type {HTMLInputElement} */ (target).value);
