/** Requests for whole pages of the site, and their days and times. */

import { dayOf, whenOf } from "../words/gettext.js";

/** Makes a page's days and times the reader's own. @param {ParentNode} page */
export function localise(page) {
  for (const time of page.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (time.textContent.endsWith(" UTC")) time.textContent = whenOf(at);
    else if ("day" in time.dataset) time.textContent = dayOf(at);
  }
}

/** A page of the site, localised. null if it did not come. @param {string} url @param {FormData} [form] to send */
export async function pageAt(url, form) {
  try {
    const response = await fetch(url, form && { method: "POST", body: form });
    const text = await response.text();
    if (!response.ok) return null;
    const page = new DOMParser().parseFromString(text, "text/html");
    localise(page);
    return page;
  } catch {
    return null; // the site is unreachable
  }
}
