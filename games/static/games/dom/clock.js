/**
 * The page's clock and its timers; tests hand in one that they turn by hand.
 * @typedef {(ms: number, run: () => void) => unknown} Later
 * @typedef {{now: () => number, later: Later}} Clock  in ms
 */

/** @type {Later} */
export const later = (ms, run) => setTimeout(run, ms);

/** @type {Clock} */
export const CLOCK = { now: () => performance.now(), later };
