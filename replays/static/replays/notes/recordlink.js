/** The record of a finished match with the notes that its viewer sees, to download. */

import { box } from "../../games/dom/elements.js";

/**
 * Null for notes that are not the match's own, and while there is no record.
 * @param {import("../../games/match/log.js").Match} match
 * @param {string} url of the notes
 */
export function recordLink({ id, urls }, url) {
  if (!urls?.record || url !== `/api/v1/matches/${id}/notes`) return null;
  const file = { class: "notes-record soft small", href: `${urls.record}?notes=1`, download: true };
  return box("a", file, "Download the match with these notes");
}
