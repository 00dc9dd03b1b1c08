/**
 * What players missed or got wrong, in one list and one unit, the costliest first: percentage
 * points of the chance to win. What is in the log is listed at once, by the effect of the play that
 * followed. On request, rollouts judge the takes, and the judgements replace these.
 * @import { Page } from "../replay/page.js"
 * @import { DecisionsJson, JudgedJson, JudgementJson, MissedTakeJson } from "api"
 * @import { Coming } from "../jobs/waiting.js"
 * @typedef {{missed_takes: MissedTakeJson[], judgements: JudgementJson[]}} Logged
 * @typedef {{seat: number, cost: number, missed: MissedTakeJson | null, judged: JudgedJson | null,
 *   mistake: JudgementJson | null}} PassedUp  `missed`: null where the take stayed open, or for a
 *   mistake. `cost`: in percentage points of the chance to win
 */

import { markOf } from "../../games/board/cards.js";
import { reasonOf } from "../../games/dom/asking.js";
import { box, button, byId, templated } from "../../games/dom/elements.js";
import { faceOf, WILD } from "../../games/match/fold.js";
import { cardName, positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { answerAt, asked } from "../jobs/waiting.js";
import { centerAt, watch } from "./momentlist.js";
import { inPoints } from "./percent.js";
import { sentence } from "./sentence.js";

const LISTED = 6;
const RUN_UP_MS = 1500;
const MISTAKE = "mistake";
/** A take that was on the player's screen, with a free hand, for less is no miss. */
const FREE_MS = 500;

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

/**
 * The costliest first. A take that was judged is listed once, as it was judged.
 * @param {Logged} logged @param {JudgedJson[]} decisions @returns {PassedUp[]}
 */
export function passedUp({ missed_takes: takes, judgements }, decisions) {
  const best = decisions.toSorted((a, b) => differenceOf(b) - differenceOf(a));
  const used = new Set();
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
    const seen = moment.filter(({ free_ms }) => free_ms >= FREE_MS);
    if (!seen.length) return [];
    const worst = seen.reduce((most, take) => (take.delta < most.delta ? take : most));
    const cost = judged ? differenceOf(judged) : 0 - worst.points;
    return { seat, missed: worst, judged, cost, mistake: null };
  });
  const open = best
    .filter((decision) => decision.told && !used.has(decision))
    .map((judged) => {
      const cost = differenceOf(judged);
      return { seat: judged.seat, missed: null, judged, cost, mistake: null };
    });
  const mistakes = judgements
    .filter(({ verdict, figures }) => verdict === MISTAKE && figures.points !== undefined)
    .map((mistake) => {
      const cost = 0 - (mistake.figures.points ?? 0);
      return { seat: mistake.seat, missed: null, judged: null, cost, mistake };
    });
  return [...missed, ...open, ...mistakes].toSorted((a, b) => b.cost - a.cost);
}

export class Decisions {
  /**
   * @param {Page} page @param {Logged} logged
   * @param {string} url of the judgements
   */
  constructor(page, logged, url) {
    const { player, names } = page;
    this.page = page;
    this.player = player;
    this.names = names;
    this.logged = logged;
    this.url = url;
    /** @type {JudgedJson[]} */
    this.found = [];
    this.most = LISTED;
    this.element = templated("decision-parts");
    /** @template {HTMLElement} Part @param {string} name @returns {Part} */
    const part = (name) => /** @type {Part} */ (this.element.querySelector(name));
    this.place = part(".decisions-job");
    this.list = part("ol");
    /** @type {HTMLSelectElement} */
    this.who = part("select");
    this.more = part("button");
    this.who.addEventListener("change", () => this.#draw(LISTED));
    this.more.addEventListener("click", () => this.#draw(this.most + LISTED));
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
        if ("found" in coming && coming.found?.decisions.length) this.#take(coming.found.decisions);
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
    const detail = reasonOf(error);
    this.place.replaceChildren(
      box("p", "analysis-note soft small", gettext("Not judged. {detail}", { detail })),
    );
  }

  /** @param {DecisionsJson} judged */
  #show(judged) {
    this.place.replaceChildren();
    this.#take(judged.decisions);
  }

  /** @param {JudgedJson[]} decisions */
  #take(decisions) {
    this.found = decisions;
    this.#draw();
  }

  /** @param {number} [most] of them shown */
  #draw(most = this.most) {
    this.most = most;
    const { value } = this.who;
    const all = passedUp(this.logged, this.found);
    const shown = all.filter(({ seat }) => value === "" || value === String(seat));
    const items = shown.slice(0, most).map((passed) => this.#item(passed));
    this.list.replaceChildren(
      ...(items.length ? items : [box("li", "analysis-note soft small", gettext("None."))]),
    );
    this.more.hidden = shown.length <= most;
  }

  /** @param {PassedUp} passed */
  #item(passed) {
    const { seat, cost, missed, judged, mistake } = passed;
    const place = judged ?? mistake ?? { ...missed, t: missed?.from };
    const { round, t, seq } = /** @type {{round: number, t: number, seq: number}} */ (place);
    const slot = missed?.slot ?? judged?.slot;
    const about = box(
      "span",
      "moment-place line gap-1-half whole soft small",
      positionWords(round, t),
      markOf(seat),
    );
    about.append(box("b", "moment-delta", inPoints(0 - cost)));
    const words = mistake?.text ?? this.#words(passed);
    const inside = [about, box("span", "breaks", ...sentence(words, this.names))];
    const item = box("li", "anchor");
    const go = () => {
      this.list.querySelector(".decision-judged")?.remove();
      if (judged)
        item.append(
          box("p", "decision-judged analysis-note soft small", judged.text, " ", judged.figures[0]),
        );
      if (missed) offerSearch(item, missed);
      watch(this.page, { round, t, seq }, RUN_UP_MS);
    };
    const center = centerAt(this.player, { round, seq, slot });
    item.append(button("row-button full starts framed", [...inside, center], go));
    return item;
  }

  /** A missed take, and what became of it. @param {PassedUp} passed */
  #words({ seat, missed, judged }) {
    const all = { name: this.names[seat], count: (missed ?? judged)?.cards ?? 0 };
    if (!missed) return gettext("{name} missed {count} cards.", all);
    const held = { ...all, card: cardName(missed.card), taker: this.names[missed.taker ?? 0] };
    return missed.taker === null
      ? gettext("{name} had {card} and missed {count} cards. Another card closed the stack.", held)
      : gettext("{name} had {card} and missed {count} cards. {taker} took them.", held);
  }
}

/** Leads from the chosen missed take to a search for such takes. @param {HTMLElement} item @param {MissedTakeJson} missed */
function offerSearch(item, { card, cards }) {
  for (const other of document.querySelectorAll(".moment-alike")) other.remove();
  const face = faceOf(card) === WILD ? "wild" : faceOf(card);
  const href = `${byId("panel-analysis").dataset.patterns}?what=open&card=${face}&min_cards=${cards + 1}`; // with the card that takes;
  const title = gettext("How often and how soon players take such a stack");
  item.append(
    box("a", { class: "button small moment-alike cut", href, title }, gettext("Similar takes")),
  );
}
