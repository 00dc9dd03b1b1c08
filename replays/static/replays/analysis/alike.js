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
  const found = new Map();
  for (const one of chances) {
    const key = [one.round, one.seat, one.slot, one.from, one.to, one.takes, one.missed].join();
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return [...found.values()];
}
