/** One at a time: a second press while the first is still under way does nothing. */

/** Leaves the page: under way until it is shown again. @param {() => void} go */
export function leave(go) {
  go();
  return new Promise((shown) => addEventListener("pageshow", shown, { once: true }));
}

/**
 * @template {unknown[]} A
 * @param {(...given: A) => unknown} does may return a promise, until which it is under way
 * @returns {(...given: A) => Promise<void>}
 */
export function single(does) {
  let running = false;
  return async (...given) => {
    if (running) return;
    running = true;
    try {
      await does(...given);
    } finally {
      running = false;
    }
  };
}
