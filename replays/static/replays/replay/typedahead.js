/** Collects what is typed until `opening` is done, then hands it over. @param {Promise<{type: (text: string) => void} | null | undefined>} opening */
export async function typedAhead(opening) {
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
    if (text) opened?.type(text);
  } finally {
    document.removeEventListener("keydown", collect, { capture: true });
  }
}
