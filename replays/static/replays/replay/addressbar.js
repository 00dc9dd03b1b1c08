/**
 * The place where a replay opens, and the place shown, as the page’s URL. No DOM.
 * @import { Place, Player } from "../../games/match/player.js"
 */

import { later } from "../../games/dom/clock.js";
import { beforeAddress } from "../addresses/copying.js";

/** Browsers limit how often the URL may change. */
export const EVERY = 600;
/** Parameters that are not a place, and stay: which hands are shown, what is played or practised, what opens it. */
const KEPT = ["hands", "playlist", "item", "chapter", "share", "practice"];

/**
 * @typedef {{
 *   query: () => string,
 *   write: (query: string) => void,
 *   later: import("../../games/dom/clock.js").Later,
 *   cancel: (timer: any) => void,
 *   asked: (write: () => void) => void,
 * }} World  `asked`: calls `write` before the URL is read, copied or sent with a form
 */

/** @type {World} */
const BROWSER = {
  query: () => location.search,
  write: (query) => history.replaceState(history.state, "", query + location.hash),
  later,
  cancel: (timer) => clearTimeout(timer),
  asked: (write) => {
    beforeAddress(write);
    addEventListener("submit", write, { capture: true });
  },
};

/** Keeps the URL at the place shown, without filling the history. */
export class AddressBar {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {() => string} shown the query of the present view
   * @param {World} [world]
   */
  constructor(player, shown, world = BROWSER) {
    this.player = player;
    this.shown = shown;
    this.world = world;
    /** @type {any} */
    this.timer = null;
    player.onChange(() => this.update());
    // Whether the end is followed is part of the place, and may change without a movement.
    player.onState(() => this.update());
    world.asked(() => {
      if (this.timer !== null) this.#write();
    });
  }

  /** What is shown may have changed. */
  update() {
    if (this.player.table) this.timer ??= this.world.later(EVERY, () => this.#write());
  }

  #write() {
    this.world.cancel(this.timer);
    this.timer = null;
    const now = new URLSearchParams(this.world.query());
    const kept = KEPT.flatMap((name) => {
      const value = now.get(name);
      return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
    }).join("&");
    const shown = this.shown();
    const query = `${shown}${kept && shown.length > 1 ? "&" : ""}${kept}`;
    if (query !== (this.world.query() || "?")) this.world.write(query);
  }
}

/**
 * Goes to a place, otherwise to the end of a growing log, otherwise right before its first moment,
 * otherwise to the start.
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
  else await player.goBefore(match.opening);
  return (!endHidden && finished && match.opening) || 0;
}

/** The place so many ms before an event, if the address asks for that. @param {Player} player @param {Place} place */
async function before({ log }, place) {
  if (!("event" in place && place.lead)) return place;
  const round = log.rounds[place.round - 1];
  if (round) await log.load(round);
  const t = round?.events[place.event - 1]?.t ?? 0;
  return { round: place.round, t: Math.max(0, t - place.lead) };
}
