import assert from "node:assert/strict";
import { test } from "node:test";

test("a message is shown, and pressing it opens the news", async () => {
  const worker = new EventTarget();
  /** @type {unknown[]} */
  const done = [];
  Object.assign(globalThis, {
    addEventListener: worker.addEventListener.bind(worker),
    registration: { showNotification: (/** @type {unknown[]} */ ...said) => done.push(said) },
    clients: { openWindow: (/** @type {string} */ url) => done.push(url) },
  });
  const script = "../../replays/static/replays/news/pushed.js"; // not a module
  await import(script);
  const happens = (/** @type {string} */ kind, /** @type {object} */ fields) =>
    worker.dispatchEvent(Object.assign(new Event(kind), { waitUntil() {} }, fields));
  happens("push", { data: { text: () => "3 pieces of unread news" } });
  happens("notificationclick", { notification: { close: () => done.push("closed") } });
  const shown = ["Ratuki", { body: "3 pieces of unread news", tag: "news" }];
  assert.deepEqual(done, [shown, "closed", "/news/"]);
});
