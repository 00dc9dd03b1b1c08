/** Shares and their changes, in percent: "41%", "+10%", "−0.4%". */

import { signed } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

/** @param {number} share */
export const percent = (share) => inPercent(Math.round(share * 100));

/** @param {number | string} number */
const inPercent = (number) => gettext("{number}%", { number });

/** Adding up to 100%. "0%" and "100%" only if certain. @param {number[]} shares */
export function chances(shares) {
  const whole = shares.map((share) => Math.floor(share * 100));
  const rest = Math.round(shares.reduce((sum, share) => sum + share, 0) * 100);
  const left = rest - whole.reduce((sum, each) => sum + each, 0);
  const nearest = [...shares.keys()].sort(
    (a, b) => shares[b] * 100 - whole[b] - (shares[a] * 100 - whole[a]),
  );
  for (const seat of nearest.slice(0, left)) whole[seat] += 1;
  return shares.map((share, seat) => {
    if (share > 0 && share < 0.01) return inPercent("<1");
    return inPercent(share > 0.99 && share < 1 ? ">99" : whole[seat]);
  });
}

/** A change, in percentage points. @param {number} points */
export const inPoints = (points) => inPercent(signed(points));
