// @ts-check
/** Live matches as small tables; only those in sight have a socket. */

import { byId } from "./elements.js";
import { SmallTable } from "./smalltable.js";

const MOST = 9;

/** @type {import("./smalltable.js").Shown[]} */
const wall = JSON.parse(byId("wall").textContent ?? "[]");
/** @type {Map<Element, SmallTable>} */
const tables = new Map();

const sight = new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => look(target, isIntersecting)), {
  rootMargin: "80px",
});

/** @param {Element} root @param {boolean} visible */
function look(root, visible) {
  if (visible) tables.get(root)?.start();
  else tables.get(root)?.stop();
}

for (const shown of wall.slice(0, MOST)) {
  const root = /** @type {HTMLElement | null} */ (document.querySelector(`[data-match="${CSS.escape(shown.id)}"] .wall-board`));
  if (!root) continue;
  tables.set(root, new SmallTable(root, shown));
  sight.observe(root);
}
document.addEventListener("visibilitychange", () => {
  for (const [root, table] of tables) {
    if (document.hidden) table.stop();
    else if (root.getBoundingClientRect().top < innerHeight) table.start();
  }
});
