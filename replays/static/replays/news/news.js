/** The page of news: quiet hours in the browser's time zone, and news while the page is closed. */

import { ask } from "../../games/dom/asking.js";

const zone = /** @type {HTMLInputElement} */ (document.getElementById("id_zone"));
zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;

const button = document.getElementById("push");
const status = document.getElementById("push-status");

/** @param {string} words */
function say(words) {
  if (status) status.textContent = words;
}

/** @param {boolean} on */
function show(on) {
  if (!button) return;
  button.dataset.on = on ? "yes" : "";
  button.textContent = on ? "Stop notifying this browser" : "Notify this browser";
  button.hidden = false;
}

/** @param {DOMStringMap} data */
async function subscribe({ url = "", worker = "", key = "" }) {
  const here = await navigator.serviceWorker.register(worker);
  const asked = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (await here.pushManager.subscribe(asked)).toJSON();
  const { ok, data } = await ask("PUT", url, { endpoint, ...keys, zone: zone.value });
  if (!ok) throw new Error(data.detail);
  show(true);
  say("This browser is notified until you log out.");
}

/** @param {DOMStringMap} data */
async function unsubscribe({ url = "" }) {
  const { ok, data } = await ask("DELETE", url);
  if (!ok) throw new Error(data.detail);
  show(false);
  say("This browser is no longer notified.");
}

if (button && "serviceWorker" in navigator && "PushManager" in window) {
  show(Boolean(button.dataset.on));
  button.addEventListener("click", () => {
    const change = button.dataset.on ? unsubscribe : subscribe;
    change(button.dataset).catch((error) => say(`Not possible: ${error.message}`));
  });
}
