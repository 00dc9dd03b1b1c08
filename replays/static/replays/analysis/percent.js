// @ts-check
/** Shares and their changes, in percent: "41%", "+10%", "−0.4%". */

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)}%`;

/** A change, in percentage points. @param {number} change @param {number} [digits] */
export const signed = (change, digits = 0) =>
  `${change < 0 ? "−" : "+"}${(Math.abs(change) * 100).toFixed(digits)}%`;
