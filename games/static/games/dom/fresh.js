/** Parts of a page that are kept fresh. */

/** Takes a page's marked parts, but none in use. @param {ParentNode} page */
export function freshen(page) {
  for (const part of page.querySelectorAll("[data-fresh]")) {
    const { fresh } = /** @type {HTMLElement} */ (part).dataset;
    const here = document.querySelector(`[data-fresh="${fresh}"]`);
    if (!here || here.contains(document.activeElement)) continue;
    if (here.textContent !== part.textContent) here.replaceChildren(...part.childNodes);
  }
}
