/**
 * The order of the user's own variations: moved up and down, promoted, deleted and brought back.
 * @typedef {import("./whatif.js").WhatIf} WhatIf
 * @typedef {import("./lines.js").Line} Line
 */

import { single } from "../../games/dom/single.js";
import { gettext } from "../../games/words/gettext.js";
import { chainOf, siblingsOf } from "./lines.js";

export class Arranging {
  /** @param {WhatIf} whatIf */
  constructor(whatIf) {
    this.whatIf = whatIf;
    /** @type {Line[]} */
    this.removed = [];
    this.promote = single((/** @type {Line} */ line) => this.#promote(line));
  }

  /** The user's own are renumbered. @param {Line} line @param {number} by -1: up */
  move(line, by) {
    const { store } = this.whatIf;
    const all = siblingsOf(store.lines, line);
    const from = all.findIndex(({ key }) => key === line.key);
    const to = from + by;
    if (from < 0 || to < 0 || to >= all.length) return;
    all.splice(to, 0, ...all.splice(from, 1));
    all.forEach((sibling, at) => {
      if (sibling.mine && sibling.order !== at + 1) store.keep({ ...sibling, order: at + 1 });
    });
  }

  /** Lets others see the variation shown, and one's own that it branches off. @param {string} audience */
  async showTo(audience) {
    const { store, page } = this.whatIf;
    for (const line of chainOf(store.lines, page.state.line))
      if (line.mine && line.visibility !== "everyone")
        store.keep({ ...line, visibility: audience, readers: [] });
    await store.save();
  }

  /** Lets a variation branch off where its parent does. @param {Line} line */
  async #promote(line) {
    const { store, bar } = this.whatIf;
    const shown = this.whatIf.page.state.line === line.key;
    const event = this.whatIf.player.cursor.event;
    const refused = await store.promote(line);
    if (refused) bar.say(gettext("It cannot be promoted: {refused}.", { refused }), true);
    else if (shown) await this.whatIf.open(line.key, event);
  }

  /** With the user's own branches. `undo` restores them. @param {Line} line */
  async remove(line) {
    const { store, page, panel, player } = this.whatIf;
    const { lines } = store;
    const all = [...lines.values()].filter((variation) =>
      chainOf(lines, variation.key).includes(line),
    );
    const shown = all.some(({ key }) => key === page.state.line);
    const place = { round: line.round, event: line.event };
    const parent = line.line;
    if (shown) this.whatIf.restore();
    this.removed = all.filter(({ mine }) => mine);
    for (const variation of [...this.removed].reverse()) store.remove(variation);
    panel.offerUndo(true);
    if (shown && parent) await this.whatIf.open(parent, line.event);
    else if (shown) await player.goTo(place);
  }

  undo() {
    for (const line of this.removed) this.whatIf.store.restore(line);
    this.whatIf.panel.offerUndo(false);
    const [first] = this.removed;
    this.removed = [];
    if (first) this.whatIf.open(first.key);
  }
}
