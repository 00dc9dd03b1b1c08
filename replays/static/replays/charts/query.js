/**
 * A figure's query string: which rounds, and how much of a log that may still grow, or whose end the
 * viewer hides: of that, nothing beyond what they have seen. No DOM.
 * @param {{finished: boolean, endHidden: boolean, next: number}} log
 * @param {{round: number, whole: boolean, seen: number}} asked `seen`: the last line seen so far
 */
export function queryOf({ finished, endHidden, next }, { round, whole, seen }) {
  const until = finished && !endHidden ? "" : `&until=${endHidden ? seen : next - 1}`;
  return `?round=${whole ? "all" : round}${until}`;
}
