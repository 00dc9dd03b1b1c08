/** A menu closes when something outside it is pressed, or with Escape. */

/** @param {HTMLDetailsElement} menu */
export function mount(menu) {
  document.addEventListener("pointerdown", ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
