/** Links for others, and to ghost races. */

import { copied } from "../../games/dom/controls.js";
import { gettext } from "../../games/words/gettext.js";

/** Writes the place shown into the address, which follows it late. */
let write = () => {};

/** The page's address, with the place that is shown now. */
export function address() {
  write();
  return new URL(location.href);
}

/** Calls this before the address is read. @param {() => void} run */
export function beforeAddress(run) {
  write = run;
}

/** The page's address, with the token of a shared link. @param {string} token empty: without one */
export function sharedAddress(token) {
  const shared = address();
  shared.searchParams.delete("share");
  if (token) shared.searchParams.set("share", token);
  return shared;
}

/** Shows that address: others may get it from the address bar. @param {string} token */
export function showShared(token) {
  history.replaceState(history.state, "", sharedAddress(token));
}

/** Copies the link that opens this page, and says so. @param {string} token */
export async function copyShared(token) {
  const link = sharedAddress(token);
  link.hash = "";
  return copyLink(link.href);
}

/** Copies a link, and says so. @param {string} link */
export async function copyLink(link) {
  return (await copied(link)) ? gettext("Link copied.") : gettext("The link: {link}", { link });
}

/**
 * The page of a ghost race that begins at a place of a match.
 * @param {string} url of ghost races in the match
 * @param {{round: number, event: number, line?: string | null, seat: number | string, slow?: string}} start
 *   `slow`: how many times slower than the record
 */
export function ghostRaceAddress(url, { round, event, line, seat, slow }) {
  const query = new URLSearchParams({ round: `${round}`, event: `${event}`, seat: `${seat}` });
  if (slow) query.set("slow", slow);
  if (line) query.set("line", line);
  return `${url}?${query}`;
}

/** The token of a shared study in the address, for further requests. */
export function share() {
  const token = new URLSearchParams(location.search).get("share");
  return token ? `?share=${encodeURIComponent(token)}` : "";
}
