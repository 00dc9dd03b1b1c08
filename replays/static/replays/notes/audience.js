// @ts-check
/** Who may read a note: the choices, and the one that was taken last, kept in this browser. No DOM. */

import { browserStorage, stored } from "../../games/dom/storage.js";

const KEY = "ratuki.notes.shared";

/** Each visibility and its words. @type {[string, string][]} */
export const AUDIENCES = [
  ["self", "Only me"],
  ["link", "Anyone with the link"],
  ["people", "Named people"],
  ["everyone", "Everyone"],
];

/** A reply is for whoever sees the note that it answers, or for its author alone. @param {string} thread */
export const audiencesOfReply = (thread) =>
  AUDIENCES.flatMap(([value, words]) => {
    if (value === "self") return [[value, words]];
    return value === thread ? [[value, "Whoever sees the note"]] : [];
  });

/** Those that need no names. */
export const NAMELESS = AUDIENCES.filter(([value]) => value !== "people");

/** The next note starts with the last note's audience. */
export function lastAudience() {
  const kept = browserStorage().getItem(KEY) ?? "self";
  return NAMELESS.some(([value]) => value === kept) ? kept : "self";
}

/** @param {string} visibility */
export function keepAudience(visibility) {
  stored(browserStorage(), KEY, visibility);
}
