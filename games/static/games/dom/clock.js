/**
 * The page's clock and its timers. Tests pass one that they advance by hand.
 * @typedef {(ms: number, run: () => void) => unknown} Later
 * @typedef {{now: () => number, later: Later}} Clock  in ms
 */

/** @type {Later} */
export const later = (ms, run) => setTimeout(run, ms);

/** @type {Clock} */
export const CLOCK = { now: () => performance.now(), later };
