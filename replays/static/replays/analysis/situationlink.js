// @ts-check
/** From a moment of a match to the same situation in all matches. */

import { box } from "../../games/dom/elements.js";

/**
 * The page of the situation in which a seat was before a line.
 * @param {string} url of situations in the match
 * @param {{round: number, seq: number, seat: number | string}} place
 */
export const situationAddress = (url, { round, seq, seat }) =>
  `${url}&${new URLSearchParams({ round: `${round}`, seq: `${seq}`, seat: `${seat}` })}`;

/**
 * Leads there from under what was chosen last in a list.
 * @param {Element} item
 * @param {{round: number, seq: number, seat: number | string}} place
 * @param {string} [url] none before the match is over
 */
export function offerSituation(item, place, url) {
  for (const other of item.parentElement?.querySelectorAll(".moment-alike") ?? []) other.remove();
  if (!url) return;
  const title = "Who takes such a stack, by when, and what players do";
  const href = situationAddress(url, place);
  item.append(
    box("a", { class: "button small moment-ghost moment-alike", href, title }, "Such situations"),
  );
}
