/**
 * The chances to win as areas: along a match the seats share its height.
 * @typedef {import("./analysis.js").Point} Point
 * @typedef {{round: number, from: number, length: number}} Part  ms on the axis
 * @typedef {{rounds: Part[], length: number, x: (round: number, t: number) => number}} Axis
 */

import { drawn } from "../../games/dom/elements.js";

const HEIGHT = 100;
const WIDTH = 1000;

/** A whole match: the seats' areas and the joins of the rounds. @param {Point[]} curve @param {Axis} axis */
export function picture(curve, axis) {
  return [
    ...areas(curve, axis, WIDTH, HEIGHT).map((d, seat) =>
      drawn("path", { d, class: `chances-area deck-${seat}` }),
    ),
    ...joins(axis, WIDTH, HEIGHT).map((d) => drawn("path", { d, class: "chances-join" })),
  ];
}

/** @param {Point[]} curve @returns {Axis} */
export function axisOf(curve) {
  /** @type {Part[]} */
  const rounds = [];
  for (const point of curve) {
    const known = rounds.at(-1);
    if (known?.round === point.round) {
      known.length = Math.max(known.length, point.t);
    } else {
      const from = known ? known.from + known.length : 0;
      rounds.push({ round: point.round, from, length: Math.max(point.t, 1) });
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
