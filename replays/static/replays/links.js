// @ts-check
/**
 * Places in a match as addresses: `?round=2&t=34100`, `?seq=812&pov=1`.
 *
 * @typedef {import("../games/places.js").View} View
 * @typedef {import("./player.js").Place} Place
 * @typedef {import("./player.js").Cursor} Cursor
 */

/** Browsers allow only so many changes of the address in a time. */
const EVERY = 600;

/** @param {string | null} text */
const whole = (text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

/** The place that an address asks for. @param {URLSearchParams} query @returns {Place | null} */
export function placeOf(query) {
  const [seq, round, t] = ["seq", "round", "t"].map((name) => whole(query.get(name)));
  if (seq !== null) return { seq };
  return round === null ? null : { round, t: t ?? 0 };
}

/** @param {URLSearchParams} query @param {number} seats @returns {View} */
export function viewOf(query, seats) {
  const pov = query.get("pov");
  const seat = whole(pov);
  if (pov === "spectator") return pov;
  return seat !== null && seat < seats ? seat : "all";
}

/**
 * @param {Cursor} cursor
 * @param {View} view
 * @param {boolean} exact whether round and time alone lead back to the same event
 */
export function addressOf(cursor, view, exact) {
  const time = { round: String(cursor.round), t: String(Math.floor(cursor.t)) };
  const query = new URLSearchParams(exact ? time : { seq: String(cursor.seq) });
  if (view !== "all") query.set("pov", String(view));
  return `?${query}`;
}

/** The address of a match's end, wherever that will be. @param {View} view */
export const endOf = (view) => (view === "all" ? "?" : `?pov=${view}`);

/** Keeps the address at the cursor without filling the history. */
export class AddressBar {
  constructor() {
    this.wanted = "";
    /** Which hands are shown is no place, and stays. */
    this.hands = new URLSearchParams(location.search).get("hands");
    this.timer = 0;
  }

  /** @param {string} address */
  show(address) {
    this.wanted = this.hands ? `${address}${address.length > 1 ? "&" : ""}hands=${this.hands}` : address;
    this.timer ||= window.setTimeout(() => this.#write(), EVERY);
  }

  #write() {
    this.timer = 0;
    if (this.wanted !== (location.search || "?"))
      history.replaceState(history.state, "", this.wanted + location.hash);
  }
}
