/** Manual ordering of a list. No DOM. */

/**
 * The list with one item moved. @template T
 * @param {T[]} items @param {number} from @param {number} to
 */
export function moved(items, from, to) {
  const rest = items.filter((_, at) => at !== from);
  const place = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, place), items[from], ...rest.slice(place)];
}
