/**
 * The lines of a chat, as they are said and taken away. All text is inserted as text, never as HTML.
 * @import { ChatsFrame } from "frames"
 * @typedef {ChatsFrame["lines"][number]} Written
 * @typedef {{own: () => string, report: (n: number) => unknown, added: (line: Written, row: HTMLElement) => void,
 *   head?: (line: Written, own: boolean) => Node[]}} How
 *   `own`: the name of who reads; `head`: what stands after the name of who wrote
 */

import { ask } from "../dom/asking.js";
import { box, button } from "../dom/elements.js";

const MOST = 200;
/** So close to the end, in px, new lines are scrolled to. */
const NEAR = 40;
export const THANKS = "Thanks. A moderator will take a look.";

/** What can be done about a line. @param {string} words @param {string} label @param {() => void} run */
export function tool(words, label, run) {
  return button({ class: "chat-tool bare", "aria-label": label }, words, run);
}

/** Gives a guest the name that stands in a form. @param {HTMLElement} form */
export function takeName(form) {
  const { action } = /** @type {HTMLFormElement} */ (form);
  const name = new FormData(/** @type {HTMLFormElement} */ (form)).get("name");
  return ask("PUT", action, { name: String(name ?? "") });
}

export class ChatLines {
  /** @param {HTMLElement} log what scrolls @param {HTMLElement} list @param {How} how */
  constructor(log, list, how) {
    this.log = log;
    this.list = list;
    this.how = how;
    /** @type {Map<number, {line: Written, row: HTMLElement}>} */
    this.rows = new Map();
  }

  /** @param {ChatsFrame} frame */
  take({ gone, lines }) {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    const atEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    for (const n of gone) this.#drop(n);
    for (const line of lines) if (!this.rows.has(line.n)) this.#add(line);
    const known = [...this.rows.keys()].sort((a, b) => a - b);
    for (const n of known.slice(0, -MOST)) this.#drop(n);
    if (atEnd) this.toEnd();
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** @param {Written} line */
  #add(line) {
    const row = box("li", "chat-line", this.#head(line), box("span", "chat-text", line.text));
    // What was withheld at first comes later, and stands where it was said.
    const later = [...this.rows].filter(([n]) => n > line.n).sort(([a], [b]) => a - b);
    this.rows.set(line.n, { line, row });
    this.list.insertBefore(row, later[0]?.[1].row ?? null);
    this.how.added(line, row);
  }

  /** @param {Written} line */
  #head(line) {
    const { by, account, n } = line;
    const name = box("b", "chat-by cut", by);
    if (!account) name.append(box("span", "chat-guest", " guest"));
    const own = by === this.how.own();
    const head = box("span", "chat-head line", name, ...(this.how.head?.(line, own) ?? []));
    const label = `Report this message from ${by} to the moderators`;
    if (!own) head.append(tool("Report", label, () => this.how.report(n)));
    return head;
  }

  /** @param {number} n */
  #drop(n) {
    this.rows.get(n)?.row.remove();
    this.rows.delete(n);
  }
}
