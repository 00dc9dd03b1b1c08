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

/** A choice's options. @param {readonly (readonly [string, string])[]} choices values and words @param {string} chosen */
export const options = (choices, chosen) =>
  choices.map(
    ([value, words]) =>
      html`<option value=${value} .selected=${value === chosen}>${words}</option>`,
  );

/** A small button. @param {string} words @param {() => unknown} press @param {{kind?: string, disabled?: boolean}} [how] */
export const smallButton = (words, press, { kind = "", disabled = false } = {}) =>
  html`<button type="button" class="button small ${kind}" ?disabled=${disabled} @click=${press}
    >${words}</button>`;
