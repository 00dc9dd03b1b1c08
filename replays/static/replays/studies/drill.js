/**
 * Drills: the questions of a study in random order, again and again until each is solved, at a
 * speed that rises with each round. Lasts as long as the browser tab.
 * @typedef {import("./lesson.js").Lesson} Lesson
 * @typedef {{study: string, left: number[], missed: number[], solved: number, speed: number,
 *   last: string}} Drill
 */

import { box, button } from "../../games/dom/elements.js";
import { startQuestion } from "./starting.js";

const KEPT = "ratuki.studies.drill";
/** The speed of each round, in percent; the last one stays. */
export const SPEEDS = [100, 150, 200, 400];

/** @param {number[]} items @param {() => number} random */
export function shuffled(items, random = Math.random) {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/** A new drill. @param {string} study @param {number[]} questions @returns {Drill} */
export const begun = (study, questions, random = Math.random) => ({
  study,
  left: shuffled(questions, random),
  missed: [],
  solved: 0,
  speed: SPEEDS[0],
  last: "",
});

/**
 * The drill after an answer to its first question: a missed one comes again in the next round.
 * @param {Drill} drill @param {boolean} right @returns {Drill}
 */
export function after(drill, right, random = Math.random) {
  const [now, ...left] = drill.left;
  const missed = right ? drill.missed : [...drill.missed, now];
  const next = { ...drill, left, missed, solved: drill.solved + Number(right) };
  if (left.length || !missed.length) return next;
  const faster = SPEEDS[Math.min(SPEEDS.indexOf(drill.speed) + 1, SPEEDS.length - 1)];
  return { ...next, left: shuffled(missed, random), missed: [], speed: faster };
}

/** @returns {Drill | null} */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Drill | null} drill */
export function keep(drill) {
  try {
    if (drill) sessionStorage.setItem(KEPT, JSON.stringify(drill));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Without storage there is no drill.
  }
}

/** Opens the next question of the drill. @param {Drill} drill */
export const open = ({ study, left, speed }) =>
  startQuestion({ study, number: left[0] }, { speed: String(speed), drill: "1" });

/** Takes an answer into the drill that is under way. @param {Lesson} lesson @param {string} verdict */
export function answered({ study, chapter }, verdict) {
  const drill = kept();
  if (drill?.study !== study || drill.left[0] !== chapter.number) return;
  keep({ ...after(drill, verdict === "right"), last: verdict });
}

/** Shows how the drill goes on, if one is under way: whether one is. @param {Lesson} lesson @param {HTMLElement} panel */
export function drill({ study, state }, panel) {
  const now = kept();
  if (now?.study !== study || state !== "answered" || !now.last) return false;
  const words = now.left.length
    ? `Drill: ${now.solved} solved, ${now.left.length + now.missed.length} to go, at ${now.speed / 100}×.`
    : `Drill: all ${now.solved} solved!`;
  const stop = button("button small quiet", "End the drill", () => {
    keep(null);
    bar.remove();
  });
  const next = button("button small primary", "Next question", () => open(now));
  const bar = box(
    "div",
    { class: "drill-bar", role: "status" },
    box("p", "", words),
    ...(now.left.length ? [next] : []),
    stop,
  );
  panel.prepend(bar);
  if (!now.left.length) keep(null);
  return true;
}
