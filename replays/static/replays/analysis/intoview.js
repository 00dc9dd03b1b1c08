// @ts-check
/** Scrolling to what was asked for. */

/** Shows an element's start, below the table where that stays on top. @param {HTMLElement} element */
export function bringIntoView(element) {
  const stage = document.querySelector(".stage");
  const covers = stage && getComputedStyle(stage).position === "sticky";
  const covered = covers ? stage.getBoundingClientRect().height : 0;
  element.style.setProperty("scroll-margin-block-start", `${Math.round(covered) + 8}px`);
  element.scrollIntoView({ block: covers ? "start" : "nearest" });
}
