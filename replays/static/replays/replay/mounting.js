/**
 * The parts of a page around its table, each in a module that is fetched once the table can be
 * stepped. No DOM.
 * @typedef {{requestIdleCallback?: (run: () => void, how: {timeout: number}) => any,
 *   setTimeout: (run: () => void) => any}} World
 */

/** A table that moves all the time leaves a slow machine no idle moment. */
export const LATEST_MS = 500;

/** At the latest after `LATEST_MS`. @param {() => void} run @param {World} [world] */
export function whenIdle(run, world = window) {
  if (world.requestIdleCallback) world.requestIdleCallback(run, { timeout: LATEST_MS });
  else world.setTimeout(run);
}

/**
 * Once a tab below the table is chosen.
 * @param {import("./page.js").Page} page @param {string} tab @param {() => void} act
 */
export function whenChosen(page, tab, act) {
  if (page.state.below === tab) return whenIdle(act);
  const stop = page.onChange(["below"], ({ below }) => {
    if (below !== tab) return;
    stop();
    act();
  });
}

/**
 * Fetches all parts at once and mounts them in their order. One that fails leaves the others alone.
 * @template Part
 * @param {Part[]} parts
 * @param {(part: Part) => Promise<() => void>} fetched what mounts it
 * @param {(part: Part, why: unknown) => void} failed
 */
export async function mountAll(parts, fetched, failed) {
  const coming = parts.map((part) =>
    fetched(part).catch((why) => () => {
      throw why;
    }),
  );
  for (const [place, part] of parts.entries()) {
    try {
      (await coming[place])();
    } catch (why) {
      failed(part, why);
    }
  }
}
