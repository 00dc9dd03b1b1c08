// @ts-check
/** Links for others. */

/**
 * Whether a text is on the clipboard now; without https, or without permission, it is not.
 * @param {string} text
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The address of the page with the token of what it shows, if that is shared by link.
 * @param {string} token empty: without one
 */
export function sharedAddress(token) {
  const address = new URL(location.href);
  address.searchParams.delete("share");
  if (token) address.searchParams.set("share", token);
  return address;
}

/** Shows that address: others may get it from the address bar. @param {string} token */
export function showShared(token) {
  history.replaceState(history.state, "", sharedAddress(token));
}
