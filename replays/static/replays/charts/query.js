/**
 * A figure's query string: which rounds, and how much of a log that may still grow, or whose end the
 * viewer hides: of that, nothing beyond what they have seen. No DOM.
 * @param {{finished: boolean, open: boolean, next: number}} log `open`: its end is hidden
 * @param {{round: number, whole: boolean, seen: number}} asked `seen`: the last line seen so far
 */
export function queryOf({ finished, open, next }, { round, whole, seen }) {
  const until = finished && !open ? "" : `&until=${open ? seen : next - 1}`;
  return `?round=${whole ? "all" : round}${until}`;
}
