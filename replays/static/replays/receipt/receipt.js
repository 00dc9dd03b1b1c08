/**
 * Receipts on the page of a match that is over: the one that this browser kept, as a file, and any
 * that is dropped on the page or chosen, held against the record.
 * @typedef {{detail?: string, lines?: number, actions?: number,
 *   differences?: {line: number, message: string}[]}} Answer
 */

import { inTurn, request } from "../../games/dom/asking.js";
import { box, button, byId, write } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { saveReceipt } from "../../games/live/checked.js";
import { keptReceipt } from "../../games/live/receipt.js";
import { gettext, ngettext } from "../../games/words/gettext.js";

/** @param {HTMLFormElement} form */
export function mount(form) {
  const file = /** @type {HTMLInputElement} */ (form.elements.namedItem("file"));
  const kept = keptReceipt(browserStorage(), form.dataset.match ?? "");
  if (kept)
    form.append(button("button quiet small", gettext("Your receipt"), () => saveReceipt(kept)));
  form.hidden = false;
  file.addEventListener("change", () => hold(form, file.files?.[0]));
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    hold(form, dropped);
  });
}

/** Compares a receipt with the record, and shows the result. @param {HTMLFormElement} form @param {File} [file] */
async function hold(form, file) {
  if (!file) return;
  const place = byId("receipt-verdict");
  place.hidden = false;
  write(place, gettext("Comparing…"));
  const text = await file.text().catch(() => null); // it may not be readable any more
  const compare = () => request("POST /api/v1/matches/{pk}/receipt", form.action, text);
  const asked = text === null ? null : await inTurn(compare);
  const { words, wrong } = verdict(asked?.status ? asked.data : null);
  place.replaceChildren(...words.map((said) => box("span", "", said)));
  place.classList.toggle("is-wrong", wrong);
  place.scrollIntoView({ block: "nearest" });
}

/** How many differences are shown. */
export const MOST_SHOWN = 20;

/** @param {Answer | null} answer null: none came @returns {{words: string[], wrong: boolean}} */
export function verdict(answer) {
  if (!answer)
    return { words: [gettext("The receipt could not be compared. Try again.")], wrong: true };
  if (answer.detail)
    return {
      words: [gettext("This receipt can’t be used. {detail}", { detail: answer.detail })],
      wrong: true,
    };
  const { lines = 0, actions = 0, differences = [] } = answer;
  if (!differences.length) {
    const words = ngettext(
      "The record agrees with this receipt: {lines} and {count} action.",
      "The record agrees with this receipt: {lines} and {count} actions.",
      actions,
      { lines: ngettext("{count} line", "{count} lines", lines) },
    );
    return { words: [words], wrong: false };
  }
  const shown = differences
    .slice(0, MOST_SHOWN)
    .map(({ line, message }) => gettext("Line {line}: {message}.", { line, message }));
  const more = differences.length - shown.length;
  const rest =
    more > 0
      ? [ngettext("… and {count} more difference.", "… and {count} more differences.", more)]
      : [];
  return {
    words: [gettext("The record differs from this receipt. Keep it."), ...shown, ...rest],
    wrong: true,
  };
}
