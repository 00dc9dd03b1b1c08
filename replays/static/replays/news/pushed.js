/** The service worker of the page of news: shows what the site says, and leads there. */

const worker = /** @type {any} */ (globalThis);

worker.addEventListener("push", (/** @type {any} */ event) => {
  const shown = { body: event.data?.text() ?? "", tag: "news" };
  event.waitUntil(worker.registration.showNotification("Ratuki", shown));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow("/news/"));
});
