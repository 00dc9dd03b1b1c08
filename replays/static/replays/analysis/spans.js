/**
 * The spans of a match that make up its highlights. No DOM.
 * @typedef {import("./analysis.js").Moment} Moment
 */

const BEFORE_MS = 6000;
const AFTER_MS = 3000;

/** The spans to play, in match order; adjacent ones are merged. @param {Moment[]} moments */
export function spansOf(moments) {
  /** @type {{round: number, from: number, until: number}[]} */
  const spans = [];
  for (const { round, t } of [...moments].sort((a, b) => a.seq - b.seq)) {
    const from = Math.max(0, t - BEFORE_MS);
    const last = spans.at(-1);
    if (last && last.round === round && from <= last.until) last.until = t + AFTER_MS;
    else spans.push({ round, from, until: t + AFTER_MS });
  }
  return spans;
}
