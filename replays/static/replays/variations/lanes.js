/**
 * The variations of the round shown, as lanes under the timeline: each begins where it branches
 * from what happened, or from its parent variation, and is as long as it lasts.
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { box, button, redraw } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { chainOf, eventsAlong, nameOf, treeOf } from "./lines.js";

export class Lanes {
  /** @param {(key: string | null) => void} open opens a variation or, for null, what happened */
  constructor(open) {
    this.open = open;
    const label = "Variations of this round";
    this.element = box("ol", { class: "lanes", "aria-label": label, hidden: true });
  }

  /** @param {Map<string, Line>} lines @param {Round} mainline @param {string | null} shown */
  show(lines, mainline, shown) {
    const here = treeOf(lines).filter(({ line }) => line.round === mainline.number);
    const times = here.map(({ line }) => timesOf(lines, mainline, line));
    const end = Math.max(mainline.duration, ...times.map(({ to }) => to), 1);
    this.element.hidden = !here.length;
    redraw(this.element, [
      this.#lane({ name: "What happened", from: 0, to: mainline.duration, end }, null, shown),
      ...here.map(({ line }, at) =>
        this.#lane({ name: nameOf(line), ...times[at], end }, line, shown),
      ),
    ]);
  }

  /**
   * @param {{name: string, from: number, to: number, end: number}} span @param {Line | null} line
   * @param {string | null} shown
   */
  #lane({ name, from, to, end }, line, shown) {
    const key = line?.key ?? null;
    const bar = box("span", `lane-bar${line ? "" : " is-mainline"}`);
    bar.style.setProperty("inset-inline-start", `${(from / end) * 100}%`);
    bar.style.setProperty("inline-size", `${Math.max(((to - from) / end) * 100, 1)}%`);
    const inside = [box("span", "lane-name", name), box("span", "lane-track", bar)];
    const lane = button("lane", inside, () => this.open(key));
    lane.setAttribute("aria-label", line ? `${name}, from ${clock(from)} to ${clock(to)}` : name);
    if (key === shown) lane.setAttribute("aria-current", "true");
    return box("li", "lane-row", lane);
  }
}

/** @param {Map<string, Line>} lines @param {Round} mainline @param {Line} line ms in the round */
function timesOf(lines, mainline, line) {
  const chain = chainOf(lines, line.key);
  const own = chain.length ? eventsAlong(chain) : line.events;
  const before = own.length - line.events.length;
  const from = before ? own[before - 1].t : (mainline.events[line.event - 1]?.t ?? 0);
  return { from, to: Math.max(own.at(-1)?.t ?? from, from) };
}
