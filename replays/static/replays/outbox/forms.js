/**
 * Forms whose fields are saved as they are changed, by the names that the API has for them.
 * `data-as` says which fields are numbers, and lists of names.
 */

import { namesIn } from "./audience.js";

/** @param {HTMLElement} form */
const named = (form) =>
  /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name]"));

/** What its fields say, by their names. @param {HTMLElement} form @returns {Record<string, string>} */
export const valuesOf = (form) =>
  Object.fromEntries([...named(form)].map(({ name, value }) => [name, value]));

/** Shows an item's values. @param {HTMLElement} form @param {object} item by the names of the fields */
export function fill(form, item) {
  const values = /** @type {Record<string, unknown>} */ (item);
  for (const field of named(form))
    if (field.name in values) field.value = [values[field.name]].flat().join(", ");
}

/** A field's value as the API has it. @param {HTMLInputElement} field */
function readField({ value, dataset, type }) {
  if (dataset.as === "names") return namesIn(value);
  if (dataset.as === "number") return Number(value);
  return type === "textarea" ? value : value.trim();
}

/**
 * Takes what its writer changes, with what is sent only together with that.
 * @param {HTMLElement} form @param {(fields: Record<string, unknown>) => unknown} take
 */
export function follow(form, take) {
  for (const field of named(form))
    field.addEventListener(field.dataset.as === "names" ? "change" : "input", () => {
      if (field.required && !field.value.trim()) return;
      const group = /** @type {HTMLElement | null} */ (field.closest("[data-together]"));
      const fields = group ? [...named(group)] : [field];
      take(Object.fromEntries(fields.map((each) => [each.name, readField(each)])));
    });
}
