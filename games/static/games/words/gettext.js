/**
 * Texts in the reader's language. English is in the code. Another language's catalogue is a script
 * that runs before (`make words`). No DOM.
 */

/**
 * @typedef {object} Catalogue
 * @property {string} language
 * @property {(count: number) => number} form  of a text with that number
 * @property {Record<string, string | string[]>} texts  by the English text, after its context
 */

/** @type {Catalogue} */
const ENGLISH = { language: "en", form: (count) => Number(count !== 1), texts: {} };

const { catalogue = ENGLISH } = /** @type {{catalogue?: Catalogue}} */ (globalThis);

/** The language of the texts, for `Intl`. */
export const language = catalogue.language;

/**
 * A text with its `{named}` values.
 * @param {string} text @param {Record<string, unknown>} [values]
 */
export const gettext = (text, values) => filled(found(text)?.[0] ?? text, values);

/**
 * The same, where one English text has several meanings.
 * @param {string} context @param {string} text @param {Record<string, unknown>} [values]
 */
export const pgettext = (context, text, values) =>
  filled(found(`${context}\u0004${text}`)?.[0] ?? text, values);

/**
 * The form for a number, which is its value `{count}` too.
 * @param {string} one @param {string} many @param {number} count
 * @param {Record<string, unknown>} [values]
 */
export const ngettext = (one, many, count, values) =>
  filled(found(one)?.[catalogue.form(count)] ?? (count === 1 ? one : many), { count, ...values });

const POINT = (1.5).toLocaleString(language).charAt(1);

/**
 * A number for readers, with so many decimals, or as many as it has. With a minus sign, never a
 * hyphen.
 * @param {number} value @param {number} [digits]
 */
export function decimal(value, digits) {
  const text = digits === undefined ? String(value) : value.toFixed(digits);
  return text.replace(".", POINT).replace("-", Number(text) ? "−" : "");
}

/** `+3`, `−2` or `0`. @param {number} score */
export const signed = (score) => (score > 0 ? `+${decimal(score)}` : decimal(score));

/** @param {string} text @returns {string[] | undefined} */
function found(text) {
  return Object.hasOwn(catalogue.texts, text) ? [catalogue.texts[text]].flat() : undefined;
}

/** Spaces between a number and its unit, or the word that it numbers: no line ends there. */
const BOUND = /(?<=\}) (?=m?s\b)| (?=\{(?:margin|number|round|stack|target)\})/g;

/** A text, already in the reader's language, with its values. @param {string} text @param {Record<string, unknown>} [values] */
export function filled(text, values) {
  if (!values) return text;
  const whole = text.replace(BOUND, "\u00a0").replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name] ?? all;
    return typeof value === "number" ? decimal(value) : String(value);
  });
  return whole.replaceAll("….", "…"); // after a name that was cut
}

/** English without a comma before "and". */
const list = new Intl.ListFormat(language === "en" ? "en-GB" : language);

/** The reader's own kind of the language: it may write times otherwise. */
const locale = globalThis.navigator?.languages?.find((own) => own.startsWith(language)) ?? language;

/** `Ada, Bo and Cy`. @param {Iterable<string>} parts */
export const listed = (parts) => list.format(parts);

/** `14:05`. @param {Date} at */
export const timeOf = (at) => at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });

/** A date's parts: its year unless that is this one. @param {Date} at @param {Date} now @returns {Intl.DateTimeFormatOptions} */
const partsOf = (at, now) => ({
  day: "numeric",
  month: "short",
  year: at.getFullYear() === now.getFullYear() ? undefined : "numeric",
});

/** `14:05` today, else `5 Oct, 14:05`. @param {Date} at */
export function whenOf(at, now = new Date()) {
  const day = at.toDateString() === now.toDateString() ? {} : partsOf(at, now);
  return at.toLocaleString(locale, { ...day, hour: "2-digit", minute: "2-digit" });
}

/** `Today`, `Yesterday`, `Monday` or `5 Oct`, as the reader's days go. @param {Date} at */
export function dayOf(at, now = new Date()) {
  const [today, then] = [now, at].map((time) => new Date(time).setHours(0, 0, 0, 0));
  const ago = Math.round((today - then) / 86_400_000);
  if (ago > 6) return at.toLocaleDateString(locale, partsOf(at, now));
  const nearby = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-ago, "day");
  const day = ago < 2 ? nearby : at.toLocaleDateString(language, { weekday: "long" });
  return day[0].toUpperCase() + day.slice(1);
}
