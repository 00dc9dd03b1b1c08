/**
 * A form is sent once, however often its button is pressed before the next page is there: no one
 * wants two tables, or two reviews. Scripts must guard their own requests.
 */

/** After this many ms a form may be sent again, should its page never come. */
const GIVEN_UP_MS = 10_000;

export function sendFormsOnce() {
  /** What has been sent, and is not answered yet. @type {Set<EventTarget>} */
  const sent = new Set();
  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post")
      return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), GIVEN_UP_MS);
  });
  // The way back may lead to this page as it was left.
  addEventListener("pageshow", () => sent.clear());
}
