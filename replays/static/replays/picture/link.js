/**
 * The link to a picture of the position that is shown, from the viewer's perspective.
 * @import { Page } from "../replay/page.js"
 */

/** @param {HTMLAnchorElement} link @param {Page} page */
export function mount(link, page) {
  const url = link.href;
  const point = () => {
    const { line, view } = page.state;
    const { round, event } = page.player.cursor;
    const place = new URLSearchParams({ round: String(round), event: String(event) });
    if (line) place.set("line", line);
    if (view !== "all") place.set("pov", String(view));
    link.href = `${url}?${place}`;
  };
  // The address is needed only when the link is about to be used.
  for (const kind of ["pointerdown", "focus", "mouseenter", "contextmenu"])
    link.addEventListener(kind, point);
}
