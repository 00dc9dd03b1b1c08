/**
 * What players passed up or got wrong, in one list and one unit, the costliest first: points of
 * chance to win. What is in the log is listed at once, by the effect of the play that followed. On
 * request, rollouts judge the takes, and the judgements replace these.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @import { DecisionsJson, JudgedJson, JudgementJson, MissedTakeJson } from "api"
 * @import { Coming } from "../jobs/waiting.js"
 * @typedef {Pick<DecisionsJson, "decisions" | "lost">} Judged
 * @typedef {{missed_takes: MissedTakeJson[], judgements: JudgementJson[], lessons: JudgementJson[]}} Logged
 * @typedef {{seat: number, cost: number, missed: MissedTakeJson[], judged: JudgedJson | null,
 *   told: JudgementJson | null}} PassedUp  `missed`: of one stack, a row for each card. None where
 *   the take stayed open, or for a mistake. `cost`: in points of chance to win. `told`: a lesson or a mistake
 */

import { cardElement, marked } from "../../games/board/cards.js";
import { picker } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { positionWords, seconds } from "../../games/match/words.js";
import { gettext, ngettext, signed } from "../../games/words/gettext.js";
import { answerAt, asked } from "../jobs/waiting.js";
import { centerAt, offerSituation, watch } from "./momentlist.js";

const LISTED = 10;
const RUN_UP_MS = 1500;
const MISTAKE = "mistake";
const NOTE = gettext(
  "Costs are in points of chance to win, found by letting bots play on. With “≈” it is what the next play changed.",
);
/** The player could hardly have known. */
const UNSEEN = "not shown";

/** Missed takes by their moments. @param {MissedTakeJson[]} takes */
function byMoment(takes) {
  /** @type {Map<string, MissedTakeJson[]>} */
  const moments = new Map();
  for (const take of takes) {
    const key = `${take.round} ${take.moment}`;
    moments.set(key, [...(moments.get(key) ?? []), take]);
  }
  return [...moments.values()];
}

/** What the take would have added to its seat's chance to win, in points. @param {JudgedJson} decision */
const differenceOf = ({ by, told }) => (told ? by : 0);

/** Lessons first among those that cost the same. @param {PassedUp} a @param {PassedUp} b */
const costlier = (a, b) => b.cost - a.cost || Number(Boolean(b.told)) - Number(Boolean(a.told));

/**
 * The costliest first. A take that was judged is listed once, as it was judged.
 * @param {Logged} logged @param {JudgedJson[]} decisions @returns {PassedUp[]}
 */
export function passedUp({ missed_takes: takes, judgements, lessons }, decisions) {
  const best = decisions.toSorted((a, b) => differenceOf(b) - differenceOf(a));
  const used = new Set();
  const lesson = (/** @type {{seat: number, seq: number}} */ at) =>
    lessons.find(({ seat, seq }) => seat === at.seat && seq === at.seq) ?? null;
  const missed = byMoment(takes).flatMap((moment) => {
    const [{ round, seat }] = moment;
    const of = best.filter(
      ({ t, ...at }) =>
        at.round === round &&
        at.seat === seat &&
        moment.some(({ slot, from, to }) => at.slot === slot && from <= t && t <= to),
    );
    for (const decision of of) used.add(decision);
    const [judged = null] = of;
    const seen = moment.filter(({ cause }) => cause !== UNSEEN);
    if (!seen.length) return [];
    const worst = seen.reduce((most, take) => (take.delta < most.delta ? take : most));
    return {
      seat,
      missed: seen.filter(({ seq }) => seq === worst.seq),
      judged,
      cost: judged ? differenceOf(judged) : 0 - worst.points,
      told: judged ? null : lesson(worst),
    };
  });
  const open = best
    .filter((decision) => decision.told && !used.has(decision))
    .map((judged) => ({
      ...{ seat: judged.seat, missed: [], judged, told: null },
      cost: differenceOf(judged),
    }));
  const mistakes = judgements
    .filter(({ verdict, figures }) => verdict === MISTAKE && figures.points !== undefined)
    .map((mistake) => ({
      ...{ seat: mistake.seat, missed: [], judged: null, cost: 0 - (mistake.figures.points ?? 0) },
      told: lesson(mistake) ?? mistake,
    }));
  return [...missed, ...open, ...mistakes].toSorted(costlier);
}

export class Decisions {
  /**
   * @param {Player} player @param {string[]} names @param {Logged} logged
   * @param {DOMStringMap} from the address of the judgements, and the viewer's own seat
   */
  constructor(player, names, logged, { decisions, own }) {
    this.player = player;
    this.names = names;
    this.logged = logged;
    this.url = decisions ?? "";
    /** @type {Judged} */
    this.found = { decisions: [], lost: [] };
    this.most = LISTED;
    this.place = box("div", "decisions-job");
    this.list = box("ol", "race-list");
    this.lost = box("section", "");
    const everyone = names.map((name, seat) => /** @type {[string, string]} */ ([`${seat}`, name]));
    this.who = picker(
      { "aria-label": gettext("Whose decisions") },
      [["", gettext("All players")], ...everyone],
      own ?? "",
      () => this.#choose(),
    );
    this.more = button("button small", gettext("Show more"), () => {
      this.most += LISTED;
      this.#draw();
    });
    this.element = box(
      "section",
      "decisions",
      box("div", "race-filters", this.who, this.place),
      this.lost,
      box("p", "analysis-note", NOTE),
      this.list,
      this.more,
    );
    this.#draw();
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
    const all = passedUp(this.logged, this.found.decisions);
    const shown = all.filter((passed) => seat === null || passed.seat === seat);
    const items = shown.slice(0, this.most).map((passed) => this.#item(passed));
    this.list.replaceChildren(
      ...(items.length ? items : [box("li", "analysis-note", gettext("None."))]),
    );
    this.more.hidden = shown.length <= this.most;
    const lost = this.found.lost
      .map(({ text }, at) => box("li", "", marked(at, this.names[at]), `: ${text}`))
      .filter((_, at) => seat === null || at === seat);
    const title = box("h3", "analysis-title", gettext("Points lost on open takes"));
    this.lost.replaceChildren(
      ...(lost.length ? [title, box("ul", "analysis-facts", ...lost)] : []),
    );
  }

  /** @param {PassedUp} passed */
  #item(passed) {
    const { seat, cost, missed, judged, told } = passed;
    const [take] = missed;
    const place = judged ?? told ?? { ...take, t: take.from };
    const who = box("span", "race-who row", marked(seat, this.names[seat]));
    const cards = missed.map(({ card }) => cardElement(card, "small"));
    if (cards.length) who.append(box("span", "race-played", ...cards));
    if (take && !judged && !told)
      who.append(
        ngettext(
          "{count} card to take on stack {stack}",
          "{count} cards to take on stack {stack}",
          take.cards,
          { stack: take.slot + 1 },
        ),
      );
    const size = signed(0 - cost);
    const said = judged ? `${judged.text} ${judged.figure}` : (told?.text ?? this.#closed(take));
    const inside = [
      box("b", "race-margin", judged ? size : `≈ ${size}`),
      who,
      box("span", "race-words soft small", said),
      centerAt(this.player, {
        round: place.round,
        seq: place.seq,
        slot: take?.slot ?? judged?.slot,
      }),
      box("span", "race-where soft small", positionWords(place.round, place.t)),
    ];
    const item = box("li", "");
    const go = () => {
      offerSituation(item, { ...place, seat });
      watch(this.player, place, RUN_UP_MS);
    };
    item.append(button("race-item bare", inside, go));
    return item;
  }

  /** How a missed take went. @param {MissedTakeJson} take */
  #closed({ from, to, free_ms, cause, taker }) {
    const all = {
      open: seconds(to - from),
      free: seconds(free_ms),
      name: this.names[taker ?? 0],
    };
    if (cause === "free")
      return taker === null
        ? gettext("Open for {open}, hand free for {free}; then another card closed it.", all)
        : gettext("Open for {open}, hand free for {free}; then taken by {name}.", all);
    return taker === null
      ? gettext("Open for {open}, mostly with the hand busy. Then another card closed it.", all)
      : gettext("Open for {open}, mostly with the hand busy. Then taken by {name}.", all);
  }
}
