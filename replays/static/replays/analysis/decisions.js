/**
 * Takes that players passed up, in one list, the costliest first. Those in the log are listed at
 * once, by the effect of the closing play. On request, rollouts judge them, and the judgements
 * replace these.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @import { DecisionsJson, JudgedJson, MissedTakeJson } from "api"
 * @import { Chance } from "./rounddata.js"
 * @import { Coming } from "../jobs/waiting.js"
 * @typedef {Pick<DecisionsJson, "decisions" | "lost">} Judged
 * @typedef {{seat: number, cost: number, missed: MissedTakeJson[], judged: JudgedJson | null}} PassedUp
 *   `missed`: alike but for the card, none where the take stayed open. `cost`: in chance to win
 */

import { cardElement, marked } from "../../games/board/cards.js";
import { choice } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { positionWords, seconds } from "../../games/match/words.js";
import { gettext, ngettext, pgettext } from "../../games/words/gettext.js";
import { answerAt, asked } from "../jobs/waiting.js";
import { numbers } from "./csv.js";
import { offerSituation } from "./momentlist.js";
import { inPoints } from "./percent.js";
import { watch } from "./watching.js";

const LISTED = 10;
const RUN_UP_MS = 1500;
const NOTE = gettext(
  "Cost in points of chance to win. “≈” is what the play that closed the take changed. Judged ones have their interval: bots played on many times from there, with and without the take, knowing what the player could know. No clear difference counts as no cost.",
);
/** @type {Record<string, string>} */
export const CAUSES = {
  "not shown": gettext("not shown yet"),
  "hand busy": gettext("hand busy"),
  free: gettext("hand free"),
};

/**
 * The chances, those alike together: two fives of one hand that fit the same stack at the same time
 * are one chance for a viewer.
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

/** What the take would have added to its seat's chance to win. @param {JudgedJson} decision */
const differenceOf = ({ seats, seat, told }) => (told ? seats[seat].difference : 0);

/**
 * The costliest first. Judgements of one take replace it, at the place of the costliest.
 * @param {MissedTakeJson[]} takes @param {JudgedJson[]} decisions @returns {PassedUp[]}
 */
export function passedUp(takes, decisions) {
  const best = decisions.toSorted((a, b) => differenceOf(b) - differenceOf(a));
  const used = new Set();
  const missed = alike(takes).map((same) => {
    const [{ round, seat, slot, from, to, delta }] = same;
    const of = best.filter(
      ({ t, ...at }) =>
        at.round === round && at.seat === seat && at.slot === slot && from <= t && t <= to,
    );
    for (const decision of of) used.add(decision);
    const [judged = null] = of;
    return { seat, missed: same, judged, cost: judged ? differenceOf(judged) : -delta };
  });
  const others = best
    .filter((decision) => decision.told && !used.has(decision))
    .map((judged) => ({ seat: judged.seat, missed: [], judged, cost: differenceOf(judged) }));
  return [...missed, ...others].toSorted((a, b) => b.cost - a.cost);
}

export class Decisions {
  /**
   * @param {Player} player @param {string[]} names @param {MissedTakeJson[]} takes
   * @param {DOMStringMap} from the address of the judgements, and the viewer's own seat
   * @param {(seat: number | null) => void} chosen whose are listed
   */
  constructor(player, names, takes, { decisions, own }, chosen) {
    this.player = player;
    this.names = names;
    this.takes = takes;
    this.url = decisions ?? "";
    this.chosen = chosen;
    /** @type {Judged} */
    this.found = { decisions: [], lost: [] };
    this.most = LISTED;
    this.place = box("div", "decisions-job");
    this.list = box("ol", "race-list");
    this.lost = box("ul", "analysis-facts");
    const everyone = names.map((name, seat) => /** @type {[string, string]} */ ([`${seat}`, name]));
    this.who = choice(gettext("Whose decisions"), [["", gettext("All players")], ...everyone], () =>
      this.#choose(),
    );
    this.who.value = own ?? "";
    this.more = button("button small", gettext("Show more"), () => {
      this.most += LISTED;
      this.#draw();
    });
    this.element = box(
      "section",
      "decisions",
      box("div", "race-filters", this.who, this.place),
      this.lost,
      this.list,
      this.more,
      box("p", "analysis-note", NOTE),
      this.#numbers(),
    );
    this.#choose();
  }

  get seat() {
    return this.who.value ? Number(this.who.value) : null;
  }

  /** Lists those of one player. @param {number} seat */
  only(seat) {
    this.who.value = String(seat);
    this.#choose();
  }

  #choose() {
    this.most = LISTED;
    this.#draw();
    this.chosen(this.seat);
  }

  /** Shows earlier judgements. Otherwise offers to make them. */
  async look() {
    try {
      /** @type {import("../jobs/waiting.js").Asked<DecisionsJson>} */
      const { ready, body } = await asked(this.url);
      if (ready) this.#show(body);
      else if (body.job) this.#judge();
      else
        this.place.replaceChildren(
          button("button small", gettext("Judge the decisions"), () => this.#judge()),
        );
    } catch (error) {
      this.#failed(error);
    }
  }

  async #judge() {
    try {
      const meanwhile = (/** @type {Coming} */ coming) => {
        if ("found" in coming && coming.found?.decisions.length) this.#take(coming.found);
      };
      this.#show(
        await answerAt(this.url, this.place, gettext("Judging the decisions"), { meanwhile }),
      );
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    const words = error instanceof Error ? error.message : String(error);
    this.place.replaceChildren(
      box("p", "analysis-note", gettext("Not judged: {words}.", { words })),
    );
  }

  /** @param {Judged} judged */
  #show(judged) {
    this.place.replaceChildren();
    this.#take(judged);
  }

  /** @param {Judged} judged */
  #take(judged) {
    this.found = judged;
    this.#draw();
  }

  #draw() {
    const { seat } = this;
    const shown = this.#passedUp().filter((passed) => seat === null || passed.seat === seat);
    const items = shown.slice(0, this.most).map((passed) => this.#item(passed));
    this.list.replaceChildren(
      ...(items.length ? items : [box("li", "analysis-note", gettext("None."))]),
    );
    this.more.hidden = shown.length <= this.most;
    const lost = this.found.lost.map(({ text }, at) =>
      box("li", "", marked(at, this.names[at]), `: ${text}`),
    );
    this.lost.replaceChildren(...lost.filter((_, at) => seat === null || at === seat));
  }

  #passedUp() {
    return passedUp(this.takes, this.found.decisions);
  }

  /** @param {PassedUp} passed */
  #item({ seat, cost, missed, judged }) {
    const [take] = missed;
    const { round, t, seq } = judged ?? { ...take, t: take.from };
    const who = box("span", "race-who row", marked(seat, this.names[seat]));
    const cards = missed.map(({ card }) => cardElement(card, "small"));
    if (cards.length) who.append(box("span", "race-played", ...cards));
    if (!judged)
      who.append(
        ngettext("{count} card on stack {stack}", "{count} cards on stack {stack}", take.cards, {
          stack: take.slot + 1,
        }),
      );
    const where = positionWords(round, t);
    const said = judged ? `${judged.text} ${judged.figure}` : this.#closed(take);
    const size = judged && !judged.told ? "0" : `${judged ? "" : "≈ "}${inPoints(-cost, 1)}`;
    const inside = [
      box("b", "race-margin", size),
      who,
      box("span", "soft small", `${where} · ${said}`),
    ];
    const item = box("li", "");
    const go = () => {
      offerSituation(item, { round, seq, seat });
      watch(this.player, { round, t }, RUN_UP_MS);
    };
    item.append(button("race-item", inside, go));
    return item;
  }

  /** How a missed take went. @param {MissedTakeJson} take */
  #closed({ from, to, free_ms, cause, taker }) {
    const end =
      taker === null
        ? gettext("then another card closed it")
        : gettext("then taken by {name}", { name: this.names[taker] });
    const all = { open: seconds(to - from), free: seconds(free_ms), cause: CAUSES[cause], end };
    return cause === "free"
      ? gettext("open for {open}, hand free for {free} of it; {end}", all)
      : gettext("open for {open}, hand free for {free} of it, mostly {cause}; {end}", all);
  }

  #numbers() {
    const head = [
      ...[
        gettext("Round"),
        gettext("Line"),
        gettext("Player"),
        gettext("Card"),
        gettext("Stack"),
        gettext("Cards"),
        gettext("From, ms"),
        gettext("To, ms"),
      ],
      ...[
        gettext("Hand free, ms"),
        gettext("Mostly"),
        gettext("Taken by"),
        gettext("Closed by a play that changed, %"),
      ],
      ...[
        gettext("Judged, %"),
        gettext("From, %"),
        gettext("To, %"),
        gettext("Rollouts of each way"),
        gettext("Points more"),
        gettext("± one error"),
      ],
      pgettext("difference", "Clear"),
    ];
    const tenths = (/** @type {number} */ p) => Math.round(p * 1000) / 10;
    const rows = () =>
      this.#passedUp().map(({ seat, missed: [take], judged }) => {
        const { round, seq, slot, cards } = take ?? judged;
        const log = take
          ? [
              ...[take.from, take.to, take.free_ms, CAUSES[take.cause]],
              ...[take.taker === null ? null : this.names[take.taker], tenths(take.delta)],
            ]
          : Array(6).fill(null);
        const { difference = 0, low = 0, high = 0 } = judged?.seats[seat] ?? {};
        const told = judged
          ? [
              ...[difference, low, high].map(tenths),
              ...[judged.rollouts, judged.points, judged.points_error],
              judged.told ? gettext("yes") : gettext("no"),
            ]
          : Array(7).fill(null);
        const card = take?.card ?? judged?.card ?? null;
        return [round, seq, this.names[seat], card, slot + 1, cards, ...log, ...told];
      });
    return numbers("decisions", head, rows, gettext("All takes passed up in numbers"));
  }
}
