// @ts-check
/**
 * The Analysis tab during a match: everything that anybody who watches may know so far. The rest
 * needs the hands, and is shown when the match is over.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{seq: number, facts: string[], stall: import("./factlist.js").Stall | null, moments: import("./analysis.js").Moment[],
 *   players: import("./playertable.js").Row[]}} SoFar
 */

import { box, write } from "../../games/dom/elements.js";
import { factItems } from "./factlist.js";
import { Highlights } from "./highlights.js";
import { keepingFocus } from "./keepingfocus.js";
import { MomentList } from "./momentlist.js";
import { PlayerTable } from "./playertable.js";

/** @type {import("./races.js").Show} */
const RACES_LATER = { race: () => null, open: () => {}, lost: null };

export class SoFarView {
  /** @param {import("./analysis.js").Page} page @param {string[]} names */
  constructor(page, names) {
    this.page = page;
    this.names = names;
    /** The last line that it knows. */
    this.seq = 0;
    this.head = box("h2", "analysis-result", "The match so far");
    this.facts = box("ul", "analysis-facts");
    this.moments = box("div", "");
    this.shown = "[]";
    this.highlights = new Highlights(page.player, []);
    page.commands.highlights = () => this.highlights.toggle();
    this.table = new PlayerTable(page.player, names, RACES_LATER);
    this.elements = [
      this.head,
      this.facts,
      box("h3", "analysis-title", "What mattered so far"),
      box("p", "analysis-note", "These moments may change until the match is over."),
      this.highlights.button,
      this.moments,
      box("h3", "analysis-title", "The players so far"),
      this.table.element,
      box(
        "p",
        "analysis-note",
        "Win probabilities are estimates by a model trained on matches between bots; people may play differently. Missed takes, reactions, races and judged plays need the hands: they are shown when the match is over.",
      ),
    ];
    this.#list([]);
  }

  /** @param {SoFar} found */
  show({ seq, facts, stall, moments, players }) {
    this.seq = seq;
    const [result, ...others] = facts;
    write(this.head, result);
    const items = factItems(this.page.player, others, stall);
    keepingFocus(this.facts, () => this.facts.replaceChildren(...items));
    this.table.show(players);
    const latest = JSON.stringify(moments);
    if (latest === this.shown) return;
    this.shown = latest;
    this.#list(moments);
  }

  /** @param {import("./analysis.js").Moment[]} moments */
  #list(moments) {
    const { player, commands } = this.page;
    const list = new MomentList(player, moments, RACES_LATER);
    commands.momentBack = () => list.step(-1);
    commands.momentOn = () => list.step(1);
    keepingFocus(this.moments, () => this.moments.replaceChildren(list.element));
    this.highlights.show(moments);
  }
}
