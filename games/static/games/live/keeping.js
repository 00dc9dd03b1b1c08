/**
 * The receipts that this browser keeps: those of the latest matches. No DOM.
 * @typedef {import("./receipt.js").Json} Json
 */

const NAME = "ratuki.receipt.";
const ORDER = "ratuki.receipts";
export const MOST_KEPT = 12;

/** @param {Storage} storage @returns {string[]} the matches, the oldest first */
function order(storage) {
  try {
    const kept = JSON.parse(storage.getItem(ORDER) ?? "[]");
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

/** The receipt of a match, if it is kept. @param {Storage} storage @param {string} match @returns {Json | null} */
export function keptReceipt(storage, match) {
  try {
    return JSON.parse(storage.getItem(NAME + match) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keeps a receipt, and drops the oldest. Without room, it is not kept.
 * @param {Storage} storage @param {Json} receipt
 * @returns {boolean} whether it is kept
 */
export function keepReceipt(storage, receipt) {
  const matches = [...order(storage).filter((match) => match !== receipt.match), receipt.match];
  for (const gone of matches.splice(0, Math.max(0, matches.length - MOST_KEPT)))
    storage.removeItem(NAME + gone);
  try {
    storage.setItem(ORDER, JSON.stringify(matches));
    storage.setItem(NAME + receipt.match, JSON.stringify(receipt));
    return true;
  } catch {
    return false;
  }
}
