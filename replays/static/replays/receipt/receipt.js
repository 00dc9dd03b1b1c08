/**
 * Receipts on Fair play: those that this browser keeps, and any that is chosen as a file, compared
 * with the records of their matches.
 * @typedef {{detail?: string, lines?: number, actions?: number,
 *   differences?: {line: number, message: string}[]}} Answer
 */

import { inTurn, request } from "../../games/dom/asking.js";
import { box, button, byId, write } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { saveReceipt } from "../../games/live/checked.js";
import { keptReceipts } from "../../games/live/receipt.js";
import { gettext, ngettext } from "../../games/words/gettext.js";

/** Compares a receipt with the record, and shows the result. @param {string | null | undefined} text */
async function compare(text) {
  const place = byId("receipt-verdict");
  place.hidden = false;
  write(place, gettext("Comparing…"));
  const send = () => request("POST /api/v1/receipts", "/api/v1/receipts", text);
  const asked = text ? await inTurn(send) : null;
  const { words, wrong } = verdict(asked?.status ? asked.data : null);
  place.replaceChildren(...words.map((said) => box("p", "", said)));
  place.classList.toggle("is-wrong", wrong);
  place.scrollIntoView({ block: "nearest" });
}

/** @param {import("../../games/live/receipt.js").Json} kept */
const itemOf = (kept) =>
  box(
    "li",
    "row",
    box("a", { href: `/play/${kept.match}/replay/` }, gettext("Match {id}", { id: kept.match })),
    button("button small", gettext("Check"), () => compare(JSON.stringify(kept))),
    button("button quiet small", gettext("Save"), () => saveReceipt(kept)),
  );

/** Of a page that has the place for them. */
function mount() {
  const file = /** @type {HTMLInputElement} */ (byId("receipt-file"));
  byId("receipts").append(...keptReceipts(browserStorage()).map(itemOf));
  file.addEventListener("change", async () => {
    compare(await file.files?.[0]?.text().catch(() => null)); // it may not be readable any more
  });
}

if (globalThis.document?.getElementById("receipts")) mount();

/** How many differences are shown. */
export const MOST_SHOWN = 20;

/** @param {string[]} words */
const wrong = (...words) => ({ words, wrong: true });

/** @param {Answer | null} answer null: none came @returns {{words: string[], wrong: boolean}} */
export function verdict(answer) {
  if (!answer) return wrong(gettext("The receipt could not be compared. Try again."));
  const { detail, lines = 0, actions = 0, differences = [] } = answer;
  if (detail) return wrong(gettext("This receipt can’t be used. {detail}", { detail }));
  if (!differences.length) {
    const words = ngettext(
      "The record agrees with this receipt: {lines} and {count} action.",
      "The record agrees with this receipt: {lines} and {count} actions.",
      actions,
      { lines: ngettext("{count} line", "{count} lines", lines) },
    );
    return { words: [words], wrong: false };
  }
  const said = differences
    .slice(0, MOST_SHOWN)
    .map(({ line, message }) => gettext("Line {line}: {message}.", { line, message }));
  const more = differences.length - said.length;
  if (more > 0)
    said.push(ngettext("… and {count} more difference.", "… and {count} more differences.", more));
  return wrong(gettext("The record differs from this receipt. Keep it."), ...said);
}
