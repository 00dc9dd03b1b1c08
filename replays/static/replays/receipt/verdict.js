/**
 * What is said of a receipt that was held against a record. No DOM.
 * @typedef {{detail?: string, lines?: number, actions?: number,
 *   differences?: {line: number, message: string}[]}} Answer
 */

import { counted } from "../../games/match/words.js";

/** How many differences are shown. */
export const MOST_SHOWN = 20;

/** @param {Answer | null} answer null: none came @returns {{words: string[], wrong: boolean}} */
export function verdict(answer) {
  if (!answer) return { words: ["The receipt could not be compared. Try again."], wrong: true };
  if (answer.detail)
    return { words: [`This receipt can’t be used: ${answer.detail}`], wrong: true };
  const { lines = 0, actions = 0, differences = [] } = answer;
  if (!differences.length) {
    const seen = `${counted(lines, "line")} and ${counted(actions, "action")}`;
    return { words: [`The record agrees with this receipt: ${seen}.`], wrong: false };
  }
  const shown = differences
    .slice(0, MOST_SHOWN)
    .map(({ line, message }) => `Line ${line}: ${message}.`);
  const more = differences.length - shown.length;
  const rest = more > 0 ? [`… and ${counted(more, "more difference")}.`] : [];
  return {
    words: ["The record differs from this receipt. Keep it.", ...shown, ...rest],
    wrong: true,
  };
}
