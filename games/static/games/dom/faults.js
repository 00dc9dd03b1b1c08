/**
 * Reports faults in the site's own scripts to the site: kind and place, never an error's words,
 * which may contain a visitor's text. A few a page are enough.
 */

const MOST = 3;
const PLACE = /\/static\/[^/]+\/([\w./-]+\.js:\d+:\d+)/;

/** The report of a fault. @param {unknown} error @param {string} [place] where, if its stack does not say */
export function told(error, place = "") {
  const { name, stack } = error instanceof Error ? error : { name: "Error", stack: "" };
  const at = PLACE.exec(`${stack}\n${place}`)?.[1] ?? "somewhere";
  return `${/^\w{1,40}$/.test(name) ? name : "Error"} ${at}`;
}

/** @param {(body: string) => unknown} send @param {EventTarget} page */
export function listen(send, page) {
  let left = MOST;
  const tell = (/** @type {string} */ words) => {
    left -= 1;
    if (left >= 0) send(words);
  };
  page.addEventListener("error", (event) => {
    const { error, filename, lineno, colno } = /** @type {ErrorEvent} */ (event);
    if (filename) tell(told(error, `${filename}:${lineno}:${colno}`));
  });
  page.addEventListener("unhandledrejection", (event) =>
    tell(told(/** @type {PromiseRejectionEvent} */ (event).reason)),
  );
}
