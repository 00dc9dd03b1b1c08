/**
 * What opens inside a note's row: its earlier versions, to go back to, and the reason for a report
 * or for hiding it.
 * @typedef {{text: string, glyph: string, revision: number}} Old  an earlier version
 * @typedef {{hint: string, label: string, send: string, needed?: boolean}} Asked
 *   `needed`: nothing is sent without a reason
 */

import { onSubmit } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";

const MOST_REASON = 500;

/**
 * Lists the earlier versions in a row; one of them can be brought back.
 * @param {HTMLElement} row
 * @param {Old[]} versions newest first
 * @param {(revision: number) => unknown} restore
 */
export function showHistory(row, versions, restore) {
  const shown = box("div", "note-history", box("h4", "", "Earlier versions"));
  const items = versions.map((old) => {
    const words = box("span", "", box("b", "", `${old.glyph} `), old.text || "without text");
    const back = button("note-action soft small bare", "Go back to this", () => {
      shown.remove();
      return restore(old.revision);
    });
    return box("li", "note-plain", words, " ", back);
  });
  shown.append(box("ol", "", ...items));
  place(row, shown);
}

/**
 * Asks for a reason.
 * @param {HTMLElement} row @param {Asked} asked @param {(reason: string) => void} send
 */
export function askReason(row, asked, send) {
  const { hint, label, needed = false } = asked;
  const words = { maxlength: MOST_REASON, placeholder: hint, required: needed };
  const input = box("input", { ...words, "aria-label": label });
  const submit = box("button", "button small", asked.send);
  const form = box("form", "note-history note-report row", input, submit);
  onSubmit(form, () => {
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
