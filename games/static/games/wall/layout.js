/**
 * Which match is where on a wall. No DOM.
 * @typedef {{swap: [string, string][], add: string[], drop: string[]}} Changes
 *   `swap`: finished matches and their replacements
 */

import { gettext } from "../words/gettext.js";

/**
 * The changes on a wall: new matches replace finished ones or take a free place. The rest stay
 * where they are. A finished match without a replacement stays as it ended.
 * @param {string[]} here the matches shown there
 * @param {string[]} now those being played
 * @param {(id: string) => boolean} resting its end must be shown a while longer
 * @param {number} most @returns {Changes}
 */
export function changes(here, now, resting, most) {
  const over = here.filter((id) => !now.includes(id) && !resting(id));
  const room = Math.max(most - here.length + over.length, 0);
  const fresh = now.filter((id) => !here.includes(id)).slice(0, room);
  const swap = over
    .slice(0, fresh.length)
    .map((id, at) => /** @type {[string, string]} */ ([id, fresh[at]]));
  const drop = over.slice(fresh.length);
  return {
    swap,
    add: fresh.slice(over.length),
    drop: drop.slice(drop.length === here.length ? 1 : 0),
  };
}

/**
 * What a match's chip says: of the round that its table shows, once there is one. The page's own
 * words are older.
 * @param {{over: boolean, round: number}} table
 * @param {string} told by the page
 */
export const stateWords = ({ over, round }, told) =>
  over ? gettext("over") : round ? gettext("round {round}", { round }) : told;
