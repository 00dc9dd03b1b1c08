/** Requests for whole pages of the site. */

/** A page of the site. null if it did not come. @param {string} url @param {FormData} [form] to send */
export async function pageAt(url, form) {
  try {
    const response = await fetch(url, form && { method: "POST", body: form });
    const text = await response.text();
    return response.ok ? new DOMParser().parseFromString(text, "text/html") : null;
  } catch {
    return null; // the site is unreachable
  }
}
