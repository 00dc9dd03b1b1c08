/**
 * Controls made of several elements, with their actions.
 * @import { Kind } from "./elements.js"
 */

import { box, single, write } from "./elements.js";

/** Controls that belong together. @param {string} label @param {string} kind @param {(Node | string)[]} inside */
export const group = (label, kind, ...inside) =>
  box("div", { class: kind, role: "group", "aria-label": label }, ...inside);

/**
 * A choice. @param {Kind} kind @param {(readonly [string | number, string])[]} options values and words
 * @param {string} [chosen] @param {(value: string) => unknown} [take] gets another choice
 */
export function picker(kind, options, chosen, take) {
  const select = box(
    "select",
    kind,
    ...options.map(([value, words]) => new Option(words, String(value))),
  );
  if (chosen !== undefined) select.value = chosen;
  if (take) select.addEventListener("change", () => take(select.value));
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

/** False without https, or without permission. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * What a button's press does: it asks for a second press, as long as nothing else is pressed or
 * turned to.
 * @param {HTMLElement} element @param {string} sure its words until then @param {() => unknown} does
 */
export function twice(element, sure, does) {
  /** @type {AbortController | null} */
  let asking = null;
  let usual = "";
  const settle = () => {
    asking?.abort();
    asking = null;
    write(element, usual);
  };
  return () => {
    if (asking) {
      settle();
      does();
      return;
    }
    asking = new AbortController();
    const { signal } = asking;
    usual = element.textContent ?? "";
    write(element, sure);
    element.focus(); // some browsers do not focus what is clicked
    element.addEventListener("blur", settle, { signal });
    document.addEventListener(
      "pointerdown",
      ({ target }) => element.contains(/** @type {Node} */ (target)) || settle(),
      { capture: true, signal },
    );
  };
}
