/**
 * The curve of chances to win on one axis: rounds joined end to end. No DOM.
 * @typedef {import("./analysis.js").Point} Point
 * @typedef {{round: number, from: number, length: number, last: Point}} Stretch  ms on the axis
 * @typedef {{rounds: Stretch[], length: number, x: (round: number, t: number) => number}} Axis
 */

/** @param {Point[]} curve @returns {Axis} */
export function axisOf(curve) {
  /** @type {Stretch[]} */
  const rounds = [];
  for (const point of curve) {
    const known = rounds.at(-1);
    if (known?.round === point.round) {
      known.length = Math.max(known.length, point.t);
      known.last = point;
    } else {
      const from = known ? known.from + known.length : 0;
      rounds.push({ round: point.round, from, length: Math.max(point.t, 1), last: point });
    }
  }
  const end = rounds.at(-1);
  const length = end ? end.from + end.length : 1;
  const x = (/** @type {number} */ round, /** @type {number} */ t) => {
    const stretch = rounds.find((each) => each.round === round);
    if (!stretch) return round < (rounds[0]?.round ?? 1) ? 0 : length;
    return stretch.from + Math.min(Math.max(t, 0), stretch.length);
  };
  return { rounds, length, x };
}

/**
 * A round's points from its start to its end, the last of each pixel.
 * @param {Point[]} curve @param {{number: number, duration: number}} round
 * @param {(round: number, t: number) => number} x
 */
export function spread(curve, { number, duration }, x) {
  const points = curve.filter(({ round }) => round === number);
  const last = points.at(-1);
  if (!last) return [];
  let edge = -Infinity;
  /** @type {Point[]} */
  const kept = [];
  for (const point of points) {
    const at = x(number, point.t);
    if (at < edge + 1) kept.pop();
    else edge = at;
    kept.push(point);
  }
  return [{ ...points[0], t: 0 }, ...kept, { ...last, t: Math.max(last.t, duration) }];
}

/** From such a chance on a match is as good as won. */
const SURE = 0.95;

/** Whether one seat is as good as sure to win all along. @param {Point[]} points */
export const isDecided = (points) =>
  points.length > 0 && points[0].p.some((_, seat) => points.every(({ p }) => p[seat] > SURE));

/** The last point at or before a line and a time after it. @param {Point[]} curve @param {number} seq @param {number} t */
export function pointAt(curve, seq, t) {
  let [low, high] = [0, curve.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const point = curve[middle];
    if (point.seq < seq || (point.seq === seq && point.t <= t)) low = middle + 1;
    else high = middle;
  }
  return curve[low - 1] ?? null;
}

/**
 * Whether the curve is about the table's position: not along a variation.
 * @param {{round: import("../../games/match/log.js").Round | undefined, cursor: {event: number}}} player
 */
export const known = ({ round, cursor }) => !round || cursor.event <= round.happened;

/**
 * Each seat's area, as the `d` of a path. Chances hold until the next point: just before a take it
 * does not show yet.
 * @param {Point[]} curve @param {Pick<Axis, "x" | "length">} axis @param {number} width
 * @param {number} height
 */
export function areas(curve, axis, width, height) {
  const seats = curve[0]?.p.length ?? 0;
  const corners = curve.flatMap((point, at) => {
    const x = (axis.x(point.round, point.t) / axis.length) * width;
    const edges = (/** @type {Point} */ { p }) => edgesOf(p).map((edge) => edge * height);
    return [...(at ? [{ x, edges: edges(curve[at - 1]) }] : []), { x, edges: edges(point) }];
  });
  return Array.from({ length: seats }, (_, seat) => {
    const top = corners.map(({ x, edges }) => `${x.toFixed(1)} ${edges[seat].toFixed(1)}`);
    const bottom = corners
      .map(({ x, edges }) => `${x.toFixed(1)} ${edges[seat + 1].toFixed(1)}`)
      .reverse();
    return `M${[...top, ...bottom].join("L")}Z`;
  });
}

/**
 * Where one round ends and the next begins, each as the `d` of a path.
 * @param {Axis} axis @param {number} width @param {number} height
 */
export function joins({ rounds, length }, width, height) {
  return rounds.slice(1).map(({ from }) => `M${((from / length) * width).toFixed(1)} 0V${height}`);
}

/** The edges between the shares, from 0 to 1. @param {number[]} shares */
function edgesOf(shares) {
  const edges = [0];
  for (const share of shares) edges.push(edges[edges.length - 1] + share);
  return edges;
}
