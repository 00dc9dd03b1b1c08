/**
 * Completes words in a text field from a list under it: arrow keys and Enter, or a press.
 * @typedef {import("./items.js").Item} Item
 * @typedef {{sign: string, typed: string, from: number}} Begun a word after `@` or `#`, as far as
 *   it is typed. `from`: the place of its sign.
 */

import { box } from "../../games/dom/elements.js";
import { composes } from "../../games/dom/keptkeys.js";
import { gettext } from "../../games/words/gettext.js";

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

const LIST = "note-completions";

export class Completion {
  /**
   * @param {HTMLTextAreaElement} field
   * @param {Record<string, () => string[]>} sources the words to offer after each sign
   */
  constructor(field, sources) {
    this.field = field;
    /** @type {Begun | null} */
    this.begun = null;
    /** @type {string[]} */
    this.words = [];
    this.at = 0;
    this.list = box("ul", { class: "note-completions popup gap-0", id: LIST });
    this.list.role = "listbox";
    this.list.ariaLabel = gettext("Completions");
    this.element = box("div", "anchor stack gap-0", field, this.list);
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-haspopup", "listbox");
    field.addEventListener("input", () => {
      const caret = field.selectionStart === field.selectionEnd ? field.selectionStart : 0;
      this.begun = begunAt(field.value, caret);
      this.words = this.begun ? fitting(sources[this.begun.sign](), this.begun.typed) : [];
      this.at = 0;
      if (this.words.length) this.#show();
      else this.#close();
    });
    field.addEventListener("keydown", (event) => this.#key(event));
    field.addEventListener("blur", () => this.#close());
    field.addEventListener("pointerdown", () => this.#close());
    // The field keeps the focus, so that typing goes on.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#close();
  }

  #show() {
    const sign = this.begun?.sign ?? "";
    const options = this.words.map((word, at) => {
      const option = box("li", { class: "note-completion", id: `${LIST}-${at}` }, `${sign}${word}`);
      option.role = "option";
      option.ariaSelected = String(at === this.at);
      option.addEventListener("click", () => this.#take(at));
      return option;
    });
    this.list.replaceChildren(...options);
    this.list.hidden = false;
    this.field.setAttribute("aria-controls", LIST);
    this.field.setAttribute("aria-activedescendant", `${LIST}-${this.at}`);
  }

  #close() {
    this.words = [];
    this.list.hidden = true;
    this.field.removeAttribute("aria-controls");
    this.field.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.words.length || composes(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const count = this.words.length;
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => this.#move((this.at + 1) % count),
      ArrowUp: () => this.#move((this.at + count - 1) % count),
      Enter: () => this.#take(this.at),
      Tab: () => this.#take(this.at),
      Escape: () => this.#close(),
    });
    if (event.key in keys) {
      event.preventDefault();
      event.stopPropagation(); // Escape closes the list, not the editor
      keys[event.key]();
    } else if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
      this.#close();
    }
  }

  /** @param {number} at */
  #move(at) {
    this.at = at;
    this.#show();
  }

  /** @param {number} at */
  #take(at) {
    const { begun, field } = this;
    if (!begun) return;
    const word = this.list.children[at]?.textContent ?? "";
    field.setRangeText(`${word} `, begun.from, field.selectionStart, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
