/** Scrolling to what was asked for, without losing the table. */

/** Px left free above it. */
const GAP = 8;

/** Shows its start under the table that stays on top, in the panel beside it, or far below. @param {HTMLElement} element */
export function bringIntoView(element) {
  const stage = document.querySelector(".stage");
  if (!stage) return;
  if (element.closest(".below")) return element.scrollIntoView({ block: "nearest" });
  const { top, height } = stage.getBoundingClientRect();
  if (getComputedStyle(stage).position === "sticky") {
    element.style.setProperty("scroll-margin-block-start", `${Math.round(height) + GAP}px`);
    element.scrollIntoView({ block: "start" });
    return;
  }
  const panel = element.closest(".tabpanel");
  const from = panel?.getBoundingClientRect().top ?? 0;
  panel?.scrollBy(0, element.getBoundingClientRect().top - from - GAP);
  if (top < 0) stage.scrollIntoView({ block: "start" });
}
