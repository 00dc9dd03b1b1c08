/**
 * What is said of a receipt that was held against a record. No DOM.
 * @typedef {{detail?: string, lines?: number, actions?: number,
 *   differences?: {line: number, message: string}[]}} Answer
 */

import { gettext, ngettext } from "../../games/words/gettext.js";

/** How many differences are shown. */
export const MOST_SHOWN = 20;

/** @param {Answer | null} answer null: none came @returns {{words: string[], wrong: boolean}} */
export function verdict(answer) {
  if (!answer)
    return { words: [gettext("The receipt could not be compared. Try again.")], wrong: true };
  if (answer.detail)
    return {
      words: [gettext("This receipt can’t be used: {detail}", { detail: answer.detail })],
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
