/**
 * The tabs during a match: everything that spectators may know so far. The rest needs the hands, and
 * is shown when the match is over.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{seq: number, facts: string[], stall: Stall | null, moments: Moment[],
 *   headline: string,
 *   players: import("./playertable.js").Row[]}} SoFar
 * @typedef {import("api").StallJson} Stall
 * @typedef {import("./analysis.js").Moment} Moment
 */

import { box, button, redraw } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { MomentList, watch } from "./momentlist.js";
import { PlayerTable } from "./playertable.js";

/** How long before a stall it is watched, in ms. */
const STALL_MS = 1500;

/** @param {Player} player @param {string[]} facts @param {Stall | null} [stall] */
export function factItems(player, facts, stall) {
  const items = facts.map((fact) => box("li", "", fact));
  if (!stall) return items;
  const see = button("button small", gettext("Watch it"), () => watch(player, stall, STALL_MS));
  return [...items, box("li", "analysis-stall", `${stall.text} `, see)];
}

/** @type {import("./races.js").Show} */
const RACES_LATER = { race: () => null, open: () => {}, lost: null };

export class SoFarView {
  /** @param {import("../replay/page.js").Page} page */
  constructor(page) {
    const { player } = page;
    this.player = player;
    /** The last line that it knows. */
    this.seq = 0;
    this.headline = "";
    this.list = new MomentList(player, []);
    this.known = "";
    this.facts = box("ul", "analysis-facts");
    this.table = new PlayerTable(player, page.names, RACES_LATER);
    page.command("momentBack", () => this.list.step(-1));
    page.command("momentOn", () => this.list.step(1));
    this.elements = [this.list.element, this.facts];
    this.figures = [
      this.table.element,
      box(
        "p",
        "analysis-note",
        gettext(
          "The chance to win is an estimate by a model. Missed takes, reactions, races and decisions need the hands: they are shown when the match is over.",
        ),
      ),
    ];
  }

  /** @param {SoFar} soFar */
  show({ seq, facts, stall, moments, players, headline }) {
    this.seq = seq;
    this.headline = headline;
    redraw(this.facts, factItems(this.player, facts, stall));
    this.table.show(players);
    const known = JSON.stringify(moments);
    if (known !== this.known) this.list.show(moments);
    this.known = known;
  }
}
