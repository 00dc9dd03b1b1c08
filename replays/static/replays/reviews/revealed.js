/**
 * What happened after a question that a class was asked: it plays on to what the seat did there. No DOM.
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {{round: number, event: number, seat: number}} Asked
 */

import { Loop } from "../../games/match/loop.js";

/** The hash of a page on which the answer has just been revealed. */
export const REVEALED = "#revealed";
/** The longest that is played, in ms of the round. */
const MOST_MS = 6000;

/**
 * After how many events one knows what the seat did.
 * @param {Round | undefined} round @param {Asked} asked
 */
export function knownAt(round, { event, seat }) {
  const events = round?.events ?? [];
  const latest = (events[event - 1]?.t ?? 0) + MOST_MS;
  const at = events.findIndex(
    (roundEvent, index) =>
      index >= event &&
      (("seat" in roundEvent && roundEvent.seat === seat) || roundEvent.t > latest),
  );
  return at < 0 ? events.length : at + 1;
}

/**
 * Plays there, and then calls `done`. At once if the viewer pauses or goes elsewhere.
 * @param {import("../../games/match/player.js").Player} player @param {Asked} asked
 * @param {() => void} done
 */
export async function playOn(player, asked, done) {
  const { round, event } = asked;
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    done();
  };
  if (!(await player.goTo({ round, event }))) return end();
  const loop = new Loop(player, () => {
    player.pause();
    end();
  });
  await loop.start({ round, event, until: knownAt(player.log.rounds[round - 1], asked) });
  if (!player.playing) return end();
  player.onState(() => player.playing || end());
}
