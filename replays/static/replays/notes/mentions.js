/**
 * Completions while a note is typed: `@name` of a reader, and `#tag`. No DOM.
 * @typedef {import("./items.js").Item} Item
 * @typedef {{sign: string, typed: string, from: number}} Begun a word after `@` or `#`, as far as
 *   it is typed. `from`: the place of its sign.
 */

/** How many are offered at once. */
const MOST = 6;
const BEGUN = /(?<![\p{L}\p{N}_@#./&\\])([@#])([\p{L}\p{N}_.+-]*)$/u;

const WORD = /^[\p{L}\p{N}_.+-]+$/u;

/** The word that is being typed at the caret. @param {string} text @param {number} caret @returns {Begun | null} */
export function begunAt(text, caret) {
  const begun = BEGUN.exec(text.slice(0, caret));
  return begun && { sign: begun[1], typed: begun[2], from: begun.index };
}

/** A tag or name as one word. @param {string} tag */
const asWord = (tag) => tag.replace(/[\s_]+/g, "-");

/** Those that begin so, as words, except a full match. @param {string[]} words @param {string} typed */
export function fitting(words, typed) {
  const wanted = typed.toLowerCase();
  const fits = (/** @type {string} */ word) =>
    WORD.test(word) && word !== typed && word.toLowerCase().startsWith(wanted);
  return words.map(asWord).filter(fits).slice(0, MOST);
}

/**
 * The accounts that may be mentioned in a note: those who will be able to read it.
 * @param {{visibility: string, readers: string[]}} draft
 * @param {Item[]} thread what its readers have written already
 * @param {string[]} names the accounts that the writer knows of
 */
export function mentionable({ visibility, readers }, thread, names) {
  if (visibility === "self") return [];
  if (visibility !== "people") return names;
  const written = new Set(thread.map(({ by }) => by));
  return [...new Set([...readers, ...names.filter((name) => written.has(name))])];
}
