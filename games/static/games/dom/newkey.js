const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * A new unique key: a request sent twice with it creates nothing twice. Unlike `randomUUID`, this
 * also works on a site without HTTPS.
 */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(22)), (byte) => ALPHABET[byte & 63]).join("");
