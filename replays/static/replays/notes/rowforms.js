// @ts-check
/**
 * What opens inside a note's row: its earlier versions, to go back to, and a report with its reason.
 *
 * @typedef {{text: string, glyph: string, revision: number}} Old  an earlier version
 */

import { box } from "../../games/dom/elements.js";
import { button } from "./list.js";

const MOST_REASON = 500;

/**
 * Lists the earlier versions in a row; one of them can be brought back.
 * @param {HTMLElement} row
 * @param {Old[]} versions newest first
 * @param {(revision: number) => void} restore
 */
export function showHistory(row, versions, restore) {
  const items = versions.map((old) => {
    const words = box("span", "", box("b", "", `${old.glyph} `), old.text || "without text");
    const back = button("note-action", "Go back to this", () => restore(old.revision));
    return box("li", "note-plain", words, " ", back);
  });
  const list = box("ol", "", ...items);
  place(row, box("div", "note-history", box("h4", "", "Earlier versions"), list));
}

/**
 * Asks why a note is reported.
 * @param {HTMLElement} row
 * @param {(reason: string) => void} send
 */
export function askReason(row, send) {
  const input = document.createElement("input");
  Object.assign(input, { maxLength: MOST_REASON, placeholder: "What is wrong with it?" });
  input.setAttribute("aria-label", "Why you report this note");
  const submit = button("button small", "Send to the moderators", () => {});
  submit.setAttribute("type", "submit");
  const form = box("form", "note-history note-report", input, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(input.value.trim());
    form.remove();
  });
  place(row, form);
  input.focus();
}

/** Opens something in a row, in place of what was open there. @param {HTMLElement} row @param {HTMLElement} element */
function place(row, element) {
  row.querySelector(".note-history")?.remove();
  row.append(element);
}
