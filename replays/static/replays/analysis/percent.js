/** Shares and their changes, in percent: "41%", "+10%", "−0.4%". */

import { gettext, signed } from "../../games/words/gettext.js";

/**
 * Rounded as the server's sentences are: a half to the even number. "0%" and "100%" only if certain.
 * @param {number} share
 */
export function percent(share) {
  if (share > 0 && share < 0.01) return inPercent("<1");
  if (share > 0.99 && share < 1) return inPercent(">99");
  const whole = Math.round(share * 100);
  return inPercent(whole - Number((share * 100) % 1 === 0.5 && whole % 2));
}

/**
 * Shares of one whole. In words they sum to 100%: the largest remainders, earlier seats first, are
 * rounded up. What is possible counts as at least 1%.
 * @param {number[]} shares
 */
export function percents(shares) {
  const whole = shares.map((share) => Math.max(Math.floor(share * 100), Number(share > 0)));
  const rest = (/** @type {number} */ seat) => shares[seat] * 100 - whole[seat];
  const order = [...whole.keys()].sort((a, b) => rest(b) - rest(a));
  const left = 100 - whole.reduce((sum, share) => sum + share, 0);
  for (const seat of order.slice(0, Math.max(left, 0))) whole[seat] += 1;
  whole[whole.indexOf(Math.max(...whole))] += Math.min(left, 0);
  const sure = (/** @type {number} */ share) => share < 0.01 || share > 0.99;
  return shares.map((share, seat) => percent(sure(share) ? share : whole[seat] / 100));
}

/** @param {number | string} number */
const inPercent = (number) => gettext("{number}%", { number });

/** A change, in percentage points. @param {number} points */
export const inPoints = (points) => inPercent(signed(points));
