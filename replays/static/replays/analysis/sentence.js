/** A sentence of the site's about a match, with its players' names. */

import { box } from "../../games/dom/elements.js";
import { spokenNames } from "../../games/match/words.js";

/** A letter or a digit. */
const WORD = /[\p{L}\p{N}]/u;

/**
 * @param {string} words
 * @param {string[]} names of all seats
 * @returns {{text: string, name: boolean}[]}
 */
export function verdictPieces(words, names) {
  const known = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  const whole = (/** @type {string} */ name, /** @type {number} */ at) =>
    words.startsWith(name, at) && !WORD.test(words[at + name.length] ?? "");
  const pieces = [{ text: "", name: false }];
  for (let at = 0; at < words.length; ) {
    const name = WORD.test(words[at - 1] ?? "") ? "" : known.find((each) => whole(each, at));
    if (name) pieces.push({ text: name, name: true }, { text: "", name: false });
    else pieces[pieces.length - 1].text += words[at];
    at += name ? name.length : 1;
  }
  return pieces.filter(({ text }) => text);
}

/**
 * The same, with no name so long that it takes the room of what is said.
 * @param {string} words @param {string[]} names
 */
export function spokenPieces(words, names) {
  const spoken = spokenNames(names);
  let last = "";
  return verdictPieces(words, names).map(({ text, name }) => {
    const end = last.endsWith("…") ? text.replace(/^\./, "") : text;
    last = name ? spoken[names.indexOf(text)] : end;
    return { text: last, name };
  });
}

/** @param {string} words @param {string[]} names */
export const sentence = (words, names) =>
  spokenPieces(words, names).map(({ text, name }) => (name ? box("bdi", "unbroken", text) : text));
