/** Shares and their changes, in percent: "41%", "+10%", "−0.4%". */

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)}%`;

/** A chance: "0%" and "100%" only if it is certain. @param {number} share */
export function chance(share) {
  if (share > 0 && share < 0.01) return "<1%";
  return share > 0.99 && share < 1 ? ">99%" : percent(share);
}

/** A change, in percentage points. @param {number} change @param {number} [digits] */
export const signed = (change, digits = 0) =>
  `${change < 0 ? "−" : "+"}${(Math.abs(change) * 100).toFixed(digits)}%`;
