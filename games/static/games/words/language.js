/** How the reader's language writes lists and times. No DOM. */

import { language } from "./gettext.js";

/** English without a comma before "and". */
const list = new Intl.ListFormat(language === "en" ? "en-GB" : language);

/** The reader's own kind of the language: it may write times otherwise. */
const locale = globalThis.navigator?.languages?.find((own) => own.startsWith(language)) ?? language;

/** `Ada, Bo and Cy`. @param {Iterable<string>} parts */
export const listed = (parts) => list.format(parts);

/** `14:05`. @param {Date} at */
export const timeOf = (at) => at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });

/** `5 Oct 2026`. @param {Date} at */
export const dayOf = (at) =>
  at.toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric" });
