// @ts-check
/**
 * Who may read a note: the choices. A new note is its author's alone until they choose: what the
 * last one was says nothing about the next. No DOM.
 */

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
    return value === thread ? [[value, "Everyone who sees the note"]] : [];
  });

/** Those that need no names. */
export const NAMELESS = AUDIENCES.filter(([value]) => value !== "people");
