/**
 * A race on one time axis: where each hand's movement and arrival lie. No DOM.
 * @typedef {import("api").AttemptJson} Attempt
 * @typedef {import("api").RaceJson} Race
 * @typedef {{from: number, until: number, step: number, share: (t: number) => number}} RaceAxis ms
 *   in the round. `share`: from 0 to 1
 */

const EDGE = 0.12;
const SHORTEST_MS = 40;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const MOST_TICKS = 6;

/**
 * The tries to show: before the winner's the play that the last one was too late for, if another.
 * @param {Race} race
 */
export const triesOf = ({ attempts, late_to }) => (late_to ? [late_to, ...attempts] : attempts);

/** When the try arrived whose tie window counted. @param {Race} race */
export const firstAt = (race) => triesOf(race)[0].t;

/** How much later than that the last try arrived. @param {Race} race */
export const behindOf = (race) => race.attempts[race.attempts.length - 1].t - firstAt(race);

/** When a movement of the hands became visible at the earliest. @param {Race} race */
export const startOf = (race) =>
  Math.min(...triesOf(race).map(({ t, hand_t }) => (hand_t === null ? t : Math.min(hand_t, t))));

/** By how many ms the race was decided. @param {Race} race */
export const marginOf = (race) => race.attempts[race.attempts.length - 1].margin_ms;

/** @param {Race} race @returns {RaceAxis} */
export function axisOf(race) {
  const first = startOf(race);
  const last = Math.max(...race.attempts.map(({ t }) => t), race.shown?.[1] ?? 0);
  const edge = Math.max(SHORTEST_MS, last - first) * EDGE;
  const [from, until] = [first - edge, Math.max(last, first + SHORTEST_MS) + edge];
  const length = until - from;
  const step = STEPS.find((ms) => length / ms <= MOST_TICKS) ?? STEPS[STEPS.length - 1];
  return { from, until, step, share: (t) => Math.min(Math.max((t - from) / length, 0), 1) };
}

/** The axis' ticks, counted from the first arrival. @param {Race} race @param {RaceAxis} axis */
export function ticksOf(race, { from, until, step }) {
  const zero = firstAt(race);
  const ticks = [];
  for (let ms = Math.ceil((from - zero) / step) * step; zero + ms <= until; ms += step)
    ticks.push({ t: zero + ms, words: ms > 0 ? `+${ms}` : String(ms).replace("-", "−") });
  return ticks;
}

/** Of a list of races, the ones to show, closest first. @param {Race[]} races
 * @param {{round: number | null, seat: number | null, kind: string | null}} wanted
 */
export function chosen(races, { round, seat, kind }) {
  return races
    .filter(
      (race) =>
        (round === null || race.round === round) &&
        (kind === null || race.kind === kind) &&
        (seat === null ||
          (race.winner !== seat && race.attempts.some((attempt) => attempt.seat === seat))),
    )
    .sort((a, b) => marginOf(a) - marginOf(b) || a.seq - b.seq);
}
