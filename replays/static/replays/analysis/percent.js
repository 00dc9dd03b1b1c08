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

/** @param {number | string} number */
const inPercent = (number) => gettext("{number}%", { number });

/** A change, in percentage points. @param {number} points */
export const inPoints = (points) => inPercent(signed(points));
