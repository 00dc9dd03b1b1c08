/**
 * The events during a player's absence, shown on their return. No DOM.
 * @import { Log, Round } from "./log.js"
 */

import { gettext, ngettext } from "../words/gettext.js";
import { isTake } from "./words.js";

/** An absence shorter than this, in ms of play, needs no words. */
const SHORT_MS = 5_000;

/** The cards taken by each seat. @param {Round} round @param {number} from @param {number} seats */
function takenSince(round, from, seats) {
  const taken = Array.from({ length: seats }, () => 0);
  for (const event of round.events.slice(from))
    if (event.do === "play" && isTake(event)) taken[event.seat] += event.takes ?? 0;
  return taken;
}

/** What a bot did in the seat. @param {number} played @param {number} taken */
function ownSeat(played, taken) {
  if (!played) return gettext("Nothing was played for you.");
  return taken
    ? ngettext(
        "A bot played {count} card for you and took {taken}.",
        "A bot played {count} cards for you and took {taken}.",
        played,
        { taken },
      )
    : ngettext("A bot played {count} card for you.", "A bot played {count} cards for you.", played);
}

/** @param {number[]} taken @param {string[]} names @param {number} seat */
function others(taken, names, seat) {
  const takers = names.map((_, other) => other).filter((other) => other !== seat && taken[other]);
  takers.sort((a, b) => taken[b] - taken[a]);
  if (!takers.length) return gettext("No one else took a stack.");
  const said = takers.map((taker) => {
    const name = names[taker];
    return ngettext("{name} took {count} card.", "{name} took {count} cards.", taken[taker], {
      name,
    });
  });
  return said.join(" ");
}

/**
 * What happened since a line of the log, in the round that is being played.
 * @param {Log} log
 * @param {number} seen the last seq that the player saw
 * @param {string[]} names @param {number} seat
 * @returns {string} empty if it was not much
 */
export function meanwhile(log, seen, names, seat) {
  const round = log.last;
  if (!round?.events.length || round.end) return "";
  const from = round.eventAt(seen);
  const since = round.events[from - 1]?.t ?? 0;
  const away = round.duration - since;
  const began = round.seq > seen;
  if (!began && away < SHORT_MS) return "";
  const taken = takenSince(round, from, names.length);
  const played = round.events.slice(from).filter((e) => e.do === "play" && e.seat === seat).length;
  const when = began
    ? gettext("Round {round} began while you were away.", { round: round.number })
    : gettext("You missed {seconds} s.", { seconds: Math.round(away / 1_000) });
  return [when, ownSeat(played, taken[seat]), others(taken, names, seat)].join(" ");
}
