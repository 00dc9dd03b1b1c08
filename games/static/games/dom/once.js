/**
 * A form is sent once, however often its button is pressed before the next page is there: no one
 * wants two tables, or two reviews. Scripts must guard their own requests. As every page has this
 * script, it reports faults in the site’s own scripts too: kind and place, never an error’s words,
 * which may contain a visitor’s text. A few a page are enough.
 */

/** After this many ms a form may be sent again, should its page never come. */
const GIVEN_UP_MS = 10_000;

/** What has been sent, and is not answered yet. @type {Set<EventTarget>} */
const sent = new Set();

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

if (globalThis.document) {
  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post")
      return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), GIVEN_UP_MS);
  });
  listen((body) => navigator.sendBeacon("/faults", body), window);
  // The way back may lead to this page as it was left.
  addEventListener("pageshow", () => sent.clear());
}
