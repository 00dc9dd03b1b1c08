/**
 * Chances that differ only in the card: two fives of one hand that fit the same stack at the same
 * time are one chance for a viewer.
 * @typedef {import("./rounddata.js").Chance} Chance
 */

/**
 * The chances, those alike together.
 * @template {Pick<Chance, "seat" | "slot" | "from" | "to"> & {round?: number, takes?: boolean,
 *   missed?: boolean}} C
 * @param {C[]} chances
 */
export function alike(chances) {
  /** @type {Map<string, C[]>} */
  const groups = new Map();
  for (const chance of chances) {
    const { round, seat, slot, from, to, takes, missed } = chance;
    const key = [round, seat, slot, from, to, takes, missed].join();
    groups.set(key, [...(groups.get(key) ?? []), chance]);
  }
  return [...groups.values()];
}
