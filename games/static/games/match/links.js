/**
 * Places in a match as URLs: `?round=2&t=34100`, `?seq=812&pov=1`.
 * @typedef {import("./fold.js").View} View
 * @import { Cursor, Place, Player } from "./player.js"
 */

/** @param {string | null} text */
const whole = (text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

/** The place in a URL. @param {URLSearchParams} query @returns {Place | null} */
export function placeOf(query) {
  const names = ["seq", "round", "t", "event", "lead"];
  const [seq, round, t, event, lead] = names.map((name) => whole(query.get(name)));
  if (seq !== null) return { seq };
  if (round === null) return null;
  return event === null || t !== null ? { round, t: t ?? 0 } : { round, event, lead: lead ?? 0 };
}

/** The span that a URL asks for. @param {URLSearchParams} query */
export function spanOf(query) {
  const [round, event, until] = ["round", "event", "until"].map((name) => whole(query.get(name)));
  return round === null || event === null || until === null ? null : { round, event, until };
}

/** A perspective by its name, if there is such a one. @param {string | null} name @param {number} seats @returns {View | null} */
export function viewNamed(name, seats) {
  const seat = whole(name);
  if (name === "spectator" || name === "all") return name;
  return seat !== null && seat < seats ? seat : null;
}

/** @param {URLSearchParams} query @param {number} seats */
export const viewOf = (query, seats) => viewNamed(query.get("pov"), seats) ?? "all";

/**
 * @param {Cursor} cursor @param {View} view
 * @param {boolean} exact whether round and time alone lead back to the same event
 */
export function addressOf(cursor, view, exact) {
  const time = { round: String(cursor.round), t: String(Math.floor(cursor.t)) };
  const query = new URLSearchParams(exact ? time : { seq: String(cursor.seq) });
  if (view !== "all") query.set("pov", String(view));
  return `?${query}`;
}

/** The address of a place along a variation. @param {string} line @param {number | null} event @param {View} view */
export function addressAlong(line, event, view) {
  const query = new URLSearchParams({ line, event: String(event ?? "") });
  if (view !== "all") query.set("pov", String(view));
  return `?${query}`;
}

/** The place along a variation that an address asks for. @param {URLSearchParams} query */
export function alongOf(query) {
  const line = query.get("line");
  return line ? { line, event: whole(query.get("event")) } : null;
}

/** The URL of a match's end, wherever that will be. @param {View} view */
export const endOf = (view) => (view === "all" ? "?" : `?pov=${view}`);

/**
 * The URL of a player's view.
 * @param {Player} player @param {View} view @param {string | null} line the variation shown, if any
 */
export function addressShown({ cursor, following, round }, view, line) {
  if (line) return addressAlong(line, cursor.event, view);
  if (following) return endOf(view);
  return addressOf(cursor, view, round?.eventBy(cursor.t) === cursor.event);
}

/**
 * Goes to a place, otherwise to the end of a growing log, otherwise right before the play
 * that the server names. While that is still to be found, right before the first round's largest
 * take, otherwise to the start.
 * @param {Player} player
 * @param {Place | null} place the one in the address, which may not exist
 * @returns {Promise<number>} the seq of the play before which it opens, 0: it opens elsewhere
 */
export async function openAt(player, place) {
  if (place) await player.goTo(await before(player, place));
  if (player.stood) return 0;
  const { finished, endHidden, match } = player.log;
  if (!endHidden && !finished) await player.follow();
  else if (endHidden || !match.opening) await player.home();
  if (endHidden || !finished) return 0;
  const seq = match.opening === 0 ? largestTake(player.round) : (match.opening ?? 0);
  if (seq) await player.goBefore(seq);
  return seq;
}

/** Its seq. 0: the round has none. @param {import("./log.js").Round | undefined} round */
function largestTake(round) {
  if (!round?.timeline?.takes.length) return 0;
  const { events, seqs, timeline } = round;
  const cards = (/** @type {number} */ number) => {
    const event = events[number - 1];
    return event.do === "play" ? (event.takes ?? 0) : 0;
  };
  return seqs[timeline.takes.toSorted((a, b) => cards(b) - cards(a))[0] - 1];
}

/** The place so many ms before an event, if the address asks for that. @param {Player} player @param {Place} place */
async function before({ log }, place) {
  if (!("event" in place && place.lead)) return place;
  const round = log.rounds[place.round - 1];
  if (round) await log.load(round);
  const t = round?.events[place.event - 1]?.t ?? 0;
  return { round: place.round, t: Math.max(0, t - place.lead) };
}
