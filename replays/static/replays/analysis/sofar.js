/**
 * The tabs during a match: everything that spectators may know so far. First comes a ticker of the
 * takes that changed a chance to win, newest on top. The rest needs the hands, and is shown when
 * the match is over.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{seq: number, round: number, t: number, seat: number, delta: number, text: string}} Tick
 * @typedef {{seq: number, facts: string[], stall: Stall | null, ticker: Tick[],
 *   favourite: {leader: number, text: string} | null,
 *   players: import("./playertable.js").Row[]}} SoFar
 * @typedef {import("api").StallJson} Stall
 * @import { Log } from "../../games/match/log.js"
 */

import { marked } from "../../games/board/cards.js";
import { box, button, redraw } from "../../games/dom/elements.js";
import { pointsAt } from "../../games/match/ranking.js";
import { positionWords } from "../../games/match/words.js";
import { gettext, listed, ngettext } from "../../games/words/gettext.js";
import { neighbour, watch } from "./momentlist.js";
import { inPoints } from "./percent.js";
import { PlayerTable } from "./playertable.js";

/** Each seat's points at the end of the known part of a log. @param {Log} log */
export function pointsNow(log) {
  const round = log.last;
  if (!round?.timeline) return log.carried ?? log.match.seats.map(() => 0);
  return pointsAt(log, round, round.events.length);
}

/**
 * The match in a sentence, and another if the leader is not the favourite.
 * @param {string[]} names @param {number[]} totals @param {SoFar["favourite"]} [favourite]
 */
export function headline(names, totals, favourite = null) {
  const most = Math.max(...totals);
  const ahead = totals.flatMap((total, seat) => (total === most ? [seat] : []));
  if (ahead.length === totals.length) return gettext("All are level.");
  if (ahead.length > 1)
    return gettext("{names} lead together.", { names: listed(ahead.map((seat) => names[seat])) });
  const second = Math.max(...totals.filter((_, seat) => seat !== ahead[0]));
  const words = ngettext(
    "{name} leads by {count} point.",
    "{name} leads by {count} points.",
    most - second,
    { name: names[ahead[0]] },
  );
  return favourite?.leader === ahead[0] ? `${words} ${favourite.text}` : words;
}

/** How long before a stall it is watched, in ms. */
const STALL_MS = 1500;

/** @param {Player} player @param {string[]} facts @param {Stall | null} [stall] */
export function factItems(player, facts, stall) {
  const items = facts.map((fact) => box("li", "", fact));
  if (!stall) return items;
  const see = button("button small", gettext("Watch it"), () => watch(player, stall, STALL_MS));
  return [...items, box("li", "analysis-stall", `${stall.text} `, see)];
}

const RUN_UP_MS = 2500;
/** @type {import("./races.js").Show} */
const RACES_LATER = { race: () => null, open: () => {}, lost: null };

export class SoFarView {
  /** @param {import("../replay/page.js").Page} page */
  constructor(page) {
    const { player } = page;
    this.player = player;
    this.names = page.names;
    /** The last line that it knows. */
    this.seq = 0;
    /** @type {SoFar["favourite"]} */
    this.favourite = null;
    /** In the order of the match. @type {Tick[]} */
    this.ticks = [];
    this.ticker = box("ol", "ticker");
    this.facts = box("ul", "analysis-facts");
    this.table = new PlayerTable(player, page.names, RACES_LATER);
    page.command("momentBack", () => this.#step(-1));
    page.command("momentOn", () => this.#step(1));
    this.elements = [this.ticker, this.facts];
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
  show({ seq, facts, stall, ticker, players, favourite }) {
    this.seq = seq;
    this.favourite = favourite;
    const items = factItems(this.player, facts, stall);
    redraw(this.facts, items);
    this.table.show(players);
    if (ticker.length === this.ticks.length) return;
    this.ticks = ticker.toReversed();
    const rows = ticker.map((tick) => this.#row(tick));
    redraw(this.ticker, rows);
  }

  /** @param {Tick} tick */
  #row(tick) {
    const inside = [
      box("b", "tick-delta", inPoints(Math.round(tick.delta * 100))),
      box("span", "tick-who cut", marked(tick.seat, this.names[tick.seat])),
      box("span", "tick-text", tick.text),
      box("span", "tick-time soft small", positionWords(tick.round, tick.t)),
    ];
    return box(
      "li",
      "",
      button("tick", inside, () => watch(this.player, tick, RUN_UP_MS)),
    );
  }

  /** @param {number} by */
  #step(by) {
    const next = neighbour(this.ticks, this.player.cursor, by, RUN_UP_MS);
    if (next) watch(this.player, next, RUN_UP_MS);
  }
}
