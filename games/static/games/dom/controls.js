/**
 * Controls made of several elements, with their actions.
 * @import { Kind } from "./elements.js"
 */

import { gettext } from "../words/gettext.js";
import { box, button, single, write } from "./elements.js";

/** Controls that belong together. @param {string} label @param {string} kind @param {(Node | string)[]} inside */
export const group = (label, kind, ...inside) =>
  box("div", { class: kind, role: "group", "aria-label": label }, ...inside);

/** A region that scrolls, by the keyboard too. @param {string} label @param {Node} wide */
export const scrolling = (label, wide) =>
  box("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": label }, wide);

/**
 * Buttons that move one of a list up and down.
 * @param {string} kind @param {string} name of the row @param {number} at @param {number} count of the list
 * @param {(by: number, words: string) => unknown} move
 */
export const movers = (kind, name, at, count, move) =>
  [/** @type {const} */ ([gettext("Up"), -1]), /** @type {const} */ ([gettext("Down"), 1])].map(
    ([words, by]) => {
      const disabled = at + by < 0 || at + by >= count;
      return button({ class: kind, "aria-label": `${words}: ${name}`, disabled }, words, () =>
        move(by, words),
      );
    },
  );

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
 * The list with one item moved. @template T
 * @param {T[]} items @param {number} from @param {number} to
 */
export function moved(items, from, to) {
  const rest = items.filter((_, at) => at !== from);
  const place = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, place), items[from], ...rest.slice(place)];
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
