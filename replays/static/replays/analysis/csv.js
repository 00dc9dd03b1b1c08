/**
 * A table of numbers beside a chart: as HTML for reading, as CSV for taking along.
 * @typedef {(string | number | null)[]} Row
 */

import { download, scrolling } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { decimal, gettext, ngettext } from "../../games/words/gettext.js";

/** The most rows shown. A long match has thousands. */
const MOST = 500;

/** A cell that spreadsheets do not take for a formula. @param {string | number | null} value */
function cell(value) {
  const text = value === null ? "" : String(value);
  const harmless = typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** @param {string[]} head @param {Row[]} rows */
export const csv = (head, rows) =>
  [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");

/**
 * The numbers of a chart: closed at first, made when opened.
 * @param {string} file the download's name
 * @param {string[]} head @param {() => Row[]} rows @param {string} [title]
 */
export function numbers(file, head, rows, title = gettext("Numbers")) {
  const table = box("table", "analysis-table");
  const scroll = scrolling(title, table);
  const rest = box("p", "analysis-note");
  const save = saving(file, () => ({ head, rows: rows() }));
  const details = /** @type {HTMLDetailsElement} */ (
    box("details", "analysis-numbers", box("summary", "", title), scroll, rest, save)
  );
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    const all = rows();
    const left = all.length - MOST;
    rest.textContent =
      left > 0
        ? ngettext(
            "{count} more row is in the download.",
            "{count} more rows are in the download.",
            left,
          )
        : "";
    table.replaceChildren(...filled(head, all.slice(0, MOST)));
  });
  return details;
}

/** @param {string} file @param {() => {head: string[], rows: Row[]}} columns */
export function saving(file, columns) {
  return button("button small", gettext("Download CSV"), () => {
    const { head, rows } = columns();
    // The mark by which spreadsheets know what the letters are.
    download(`${file}.csv`, "text/csv", `\ufeff${csv(head, rows)}`);
  });
}

/** @param {string[]} head @param {Row[]} rows */
export function filled(head, rows) {
  const titles = head.map((title) => box("th", { scope: "col" }, title));
  const lines = rows.map((row) =>
    box("tr", "", ...row.map((value) => box("td", "", shown(value)))),
  );
  return [box("thead", "", box("tr", "", ...titles)), box("tbody", "", ...lines)];
}

/** A value as the page writes it. The download has it as it is. @param {Row[number]} value */
function shown(value) {
  if (value === null) return "–";
  return typeof value === "number" ? decimal(value) : value;
}
