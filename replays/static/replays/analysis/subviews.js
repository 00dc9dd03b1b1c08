/**
 * The views of the Analysis tab: buttons above, one view below. A view is made when first chosen.
 * @typedef {{name: string, label: string, make: () => Node[], shown?: () => void, left?: () => void}} SubView
 *   `shown`, `left`: called whenever it is chosen, or another one
 */

import { group } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";

export class SubViews {
  /** @param {SubView[]} views */
  constructor(views) {
    this.views = views;
    this.panes = new Map(views.map(({ name }) => [name, box("div", "subview")]));
    this.buttons = new Map(views.map((view) => [view.name, this.#button(view)]));
    this.bar = group("What the analysis shows", "subviews row", ...this.buttons.values());
    this.chosen = "";
    this.choose(views[0].name);
  }

  get elements() {
    return [this.bar, ...this.panes.values()];
  }

  /** @param {SubView} view */
  #button({ name, label }) {
    return button("event-filter soft small bare", label, () => this.choose(name));
  }

  /** @param {string} name */
  choose(name) {
    this.chosen = name;
    for (const view of this.views) {
      const on = view.name === name;
      const pane = this.panes.get(view.name);
      if (pane && on && !pane.firstChild) pane.append(...view.make());
      pane?.toggleAttribute("hidden", !on);
      this.buttons.get(view.name)?.setAttribute("aria-pressed", String(on));
      if (on) view.shown?.();
      else view.left?.();
    }
  }
}
