/**
 * The missed takes of a whole match, those first that cost their player most. Each leads to its
 * place; the figures are those of the moments and of the round's lanes.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").MissedTakeJson} MissedTake
 * @typedef {Omit<MissedTake, "seq" | "round" | "delta" | "busy" | "free">} Missed
 *   `delta`: what the play that closed it changed in its player's chance to win
 * @typedef {import("./rounddata.js").Chance} Chance
 */

import { cardElement, marked } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { bringIntoView } from "../../games/dom/intoview.js";
import { clock, counted, stackName } from "../../games/match/words.js";
import { choice } from "./choice.js";
import { numbers } from "./csv.js";
import { signed } from "./percent.js";
import { offerSituation } from "./situationlink.js";
import { watch } from "./watching.js";

/**
 * The chances, those alike together.
 * @template {Pick<Chance, "seat" | "slot" | "from" | "to"> & {round?: number, takes?: boolean,
 *   missed?: boolean}} C
 * @param {C[]} chances
 */
export function alike(chances) {
  /** @type {Map<string, C[]>} */
  const groups = new Map();
  for (const chance of chances) {
    const { round, seat, slot, from, to, takes, missed } = chance;
    const key = [round, seat, slot, from, to, takes, missed].join();
    groups.set(key, [...(groups.get(key) ?? []), chance]);
  }
  return [...groups.values()];
}

const LISTED = 10;
const RUN_UP_MS = 1000;
const SAYS =
  "Takes that a player held the card for until somebody else’s play closed them, and what that play changed in the player’s chance to win: the costliest first. Cards of one hand for the same take stand together.";
/** @type {Record<string, string>} */
export const CAUSES = {
  "not shown": "not shown yet",
  "hand busy": "hand busy",
  free: "hand free",
};

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * A missed take in a line.
 * @param {Missed[]} same alike but for the card
 * @param {string[]} names
 * @param {{size: string, when: string, watch: () => void}} how `size`: what it is ranked by
 */
export function missedItem(same, names, { size, when, watch }) {
  const [take] = same;
  const who = box("span", "race-who row", marked(take.seat, names[take.seat]));
  who.append(
    box("span", "race-played", ...same.map(({ card }) => cardElement(card, "small"))),
    `${counted(take.cards, "card")} on ${stackName(take.slot)}`,
  );
  const end =
    take.taker === null ? "then another card closed it" : `then taken by ${names[take.taker]}`;
  const why = take.cause === "free" ? "" : `, mostly ${CAUSES[take.cause]}`;
  const where = `${when} · open for ${seconds(take.to - take.from)}, hand free for ${seconds(take.free_ms)} of it${why}; ${end}`;
  const inside = [box("b", "race-margin", size), who, box("span", "soft small", where)];
  return box("li", "", button("race-item", inside, watch));
}

export class MissedTakes {
  /** @param {Player} player @param {MissedTake[]} takes @param {string[]} names */
  constructor(player, takes, names) {
    this.player = player;
    this.takes = takes;
    this.names = names;
    this.most = LISTED;
    this.list = box("ol", "race-list");
    const everyone = names.map((name, seat) => /** @type {[string, string]} */ ([`${seat}`, name]));
    this.select = choice("Player who missed it", [["", "All players"], ...everyone], () =>
      this.#chosen(),
    );
    this.more = button("button small", "Show more", () => {
      this.most += LISTED;
      this.#draw();
    });
    this.element = box(
      "section",
      "missed-takes",
      box("div", "race-filters", this.select),
      this.list,
      this.more,
      box("p", "analysis-note", SAYS),
      this.#numbers(),
    );
    this.#draw();
  }

  /** Lists those of one player. @param {number} seat */
  only(seat) {
    this.select.value = String(seat);
    this.#chosen();
    bringIntoView(this.element);
  }

  #chosen() {
    this.most = LISTED;
    this.#draw();
  }

  #draw() {
    const { value } = this.select;
    const shown = alike(this.takes.filter(({ seat }) => !value || seat === Number(value)));
    const items = shown.slice(0, this.most).map((same) => this.#item(same));
    this.list.replaceChildren(...(items.length ? items : [box("li", "analysis-note", "None.")]));
    this.more.hidden = shown.length <= this.most;
  }

  /** @param {MissedTake[]} same */
  #item(same) {
    const [{ round, from, delta }] = same;
    const item = missedItem(same, this.names, {
      size: signed(delta, 1),
      when: `Round ${round}, ${clock(from)}`,
      watch: () => watch(this.player, { round, t: from }, RUN_UP_MS),
    });
    item.addEventListener("click", () => offerSituation(item, same[0]));
    return item;
  }

  #numbers() {
    const head = [
      ...["Round", "Player", "Card", "Stack", "Cards", "From, ms", "To, ms", "Hand free, ms"],
      ...["Mostly", "Taken by", "Chance to win, %", "Line"],
    ];
    const rows = () =>
      this.takes.map((take) => [
        ...[take.round, this.names[take.seat], take.card, take.slot + 1],
        ...[take.cards, take.from, take.to],
        ...[take.free_ms, CAUSES[take.cause], take.taker === null ? null : this.names[take.taker]],
        ...[Math.round(take.delta * 1000) / 10, take.seq],
      ]);
    return numbers("missed-takes", head, rows, "All missed takes in numbers");
  }
}
