// @ts-check
/**
 * Small functions that find, create and update elements.
 *
 * @typedef {string | Record<string, string | number | boolean>} Kind
 */

import { single } from "./single.js";

/** An element that must exist. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/**
 * An element; `kind`: its class, or its attributes, of which those that are `false` are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Kind} kind
 * @param {(Node | string)[]} inside
 */
export function box(tag, kind, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes(kind)))
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  element.append(...inside);
  return element;
}

/** @param {Kind} kind */
const attributes = (kind) => (typeof kind === "string" ? { class: kind } : kind);

/**
 * A button that sends no form. If pressing it takes a while, pressing it again does nothing until then.
 * @param {Kind} kind
 * @param {string | (Node | string)[]} words
 * @param {(event: MouseEvent) => void} press
 */
export function button(kind, words, press) {
  const element = box("button", { type: "button", ...attributes(kind) }, ...[words].flat());
  element.addEventListener("click", single(press));
  return element;
}

/** Controls that belong together. @param {string} label @param {string} kind @param {(Node | string)[]} inside */
export const group = (label, kind, ...inside) =>
  box("div", { class: kind, role: "group", "aria-label": label }, ...inside);

/** A region that scrolls, by the keyboard too. @param {string} label @param {Node} wide */
export const scrolling = (label, wide) =>
  box("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": label }, wide);

/**
 * Buttons that move one of a list up and down.
 * @param {string} kind @param {string} name of what is moved @param {number} at @param {number} count of the list
 * @param {(by: number, words: string) => unknown} move
 */
export const movers = (kind, name, at, count, move) =>
  [/** @type {const} */ (["Up", -1]), /** @type {const} */ (["Down", 1])].map(([words, by]) => {
    const disabled = at + by < 0 || at + by >= count;
    return button({ class: kind, "aria-label": `${words}: ${name}`, disabled }, words, () =>
      move(by, words),
    );
  });

/** @param {Kind} kind @param {(readonly [string | number, string])[]} options values and words @param {string} [chosen] */
export function picker(kind, options, chosen) {
  const select = box(
    "select",
    kind,
    ...options.map(([value, words]) => new Option(words, String(value))),
  );
  if (chosen !== undefined) select.value = chosen;
  return select;
}

/**
 * Takes what a form says, in place of the browser.
 * @template {HTMLElement} Form
 * @param {Form} form
 * @param {(form: Form) => unknown} take does nothing again until it is done
 */
export function onSubmit(form, take) {
  const taken = single(take);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    taken(form);
  });
  return form;
}

/** Saves a text as a file. @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  box("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** Sets the text only if it has changed. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
