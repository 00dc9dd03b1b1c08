/** A browser's storage. @returns {Storage} */
export function handStorage() {
  const kept = new Map();
  return {
    ...{
      key: (/** @type {number} */ at) => [...kept.keys()][at] ?? null,
      clear: () => kept.clear(),
    },
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => void kept.set(name, text),
    removeItem: (/** @type {string} */ name) => void kept.delete(name),
    get length() {
      return kept.size;
    },
  };
}
