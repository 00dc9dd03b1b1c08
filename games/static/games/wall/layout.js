// @ts-check
/**
 * Which match hangs where on a wall. No DOM.
 *
 * @typedef {{swap: [string, string][], add: string[], drop: string[]}} Changes
 *   `swap`: what is over, and what comes in its place
 */

/**
 * What changes on a wall: what is played anew takes the place of what is over, else a free one;
 * the rest stays where it is. With nothing to take its place the last one stays as it ended.
 * @param {string[]} here the matches that hang there
 * @param {string[]} now those that are played
 * @param {(id: string) => boolean} resting its end is to be seen for a while yet
 * @param {number} most
 * @returns {Changes}
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
