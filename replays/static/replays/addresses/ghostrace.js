/**
 * The page of a ghost race that begins at a place of a match.
 * @param {string} url of ghost races in the match
 * @param {{round: number, event: number, line?: string | null, seat: number | string, slow?: string}} start
 *   `slow`: how many times slower than the record
 */
export function ghostRaceAddress(url, { round, event, line, seat, slow }) {
  const query = new URLSearchParams({ round: `${round}`, event: `${event}`, seat: `${seat}` });
  if (slow) query.set("slow", slow);
  if (line) query.set("line", line);
  return `${url}?${query}`;
}
