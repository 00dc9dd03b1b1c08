/**
 * Texts in the reader's language. English stands in the code; the catalogue of another language is
 * a script that runs before (`django` of `JavaScriptCatalog`). No DOM.
 */

/**
 * @typedef {object} Catalogue
 * @property {(text: string) => string} gettext
 * @property {(context: string, text: string) => string} pgettext
 * @property {(one: string, many: string, count: number) => string} ngettext
 */

/** @type {Catalogue} */
const ENGLISH = {
  gettext: (text) => text,
  pgettext: (_context, text) => text,
  ngettext: (one, many, count) => (count === 1 ? one : many),
};

const { django: catalogue = ENGLISH } = /** @type {{django?: Catalogue}} */ (globalThis);

/**
 * A text with its `{named}` values.
 * @param {string} text @param {Record<string, string | number>} [values]
 */
export const gettext = (text, values) => filled(catalogue.gettext(text), values);

/**
 * The same, where one English text has several meanings.
 * @param {string} context @param {string} text @param {Record<string, string | number>} [values]
 */
export const pgettext = (context, text, values) =>
  filled(catalogue.pgettext(context, text), values);

/**
 * The form for a number, which is its value `{count}` too.
 * @param {string} one @param {string} many @param {number} count
 * @param {Record<string, string | number>} [values]
 */
export const ngettext = (one, many, count, values) =>
  filled(catalogue.ngettext(one, many, count), { count, ...values });

/** @param {string} text @param {Record<string, string | number>} [values] */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (all, name) => `${values[name] ?? all}`) : text;
}
