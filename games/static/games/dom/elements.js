// @ts-check
/** Small functions that find, create and update elements. */

import { single } from "./single.js";

/** An element that must exist. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/**
 * @param {string} tag
 * @param {string} kind
 * @param {(Node | string)[]} inside
 */
export function box(tag, kind, ...inside) {
  const element = document.createElement(tag);
  element.className = kind;
  element.append(...inside);
  return element;
}

/**
 * A button that sends no form. If pressing it takes a while, pressing it again does nothing until then.
 * @param {string} kind
 * @param {string | (Node | string)[]} words
 * @param {(event: MouseEvent) => void} press
 */
export function button(kind, words, press) {
  const element = /** @type {HTMLButtonElement} */ (box("button", kind, ...[words].flat()));
  element.type = "button";
  element.addEventListener("click", single(press));
  return element;
}

/** Sets the text only if it has changed. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
