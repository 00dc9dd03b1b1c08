/** What is typed while an editor is being fetched belongs into it, and is no command. */

/**
 * Collects what is typed until `opening` is done, then hands it over.
 * @template T
 * @param {Promise<T>} opening
 * @param {(opened: T, text: string) => void} hand
 */
export async function typedAhead(opening, hand) {
  let text = "";
  /** @param {KeyboardEvent} event */
  const collect = (event) => {
    if (event.key.length > 1 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    text += event.key;
  };
  document.addEventListener("keydown", collect, { capture: true });
  try {
    const opened = await opening;
    if (text) hand(opened, text);
  } finally {
    document.removeEventListener("keydown", collect, { capture: true });
  }
}
