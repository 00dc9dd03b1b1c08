/**
 * What the members of a review answer to the question of the chapter they are in: for the writers of
 * the study, as it comes. A screen may be shared: they are closed, and no one is marked as right,
 * until the answer is revealed.
 * @typedef {{name: string, state: "answered" | "asked" | "away", words: string, verdict: string,
 *   ms: number | null}} Answer
 * @typedef {{words: string, right: boolean, people: Answer[]}} Group those who answered the same
 * @typedef {{asking: number, forgotten: string, right: string[], answers: Answer[]}} News `right`: once it is revealed
 * @typedef {import("./steering.js").Beginning} Beginning
 * @typedef {import("./revealed.js").Asked} Asked
 * @typedef {{cursor: () => {round: number, event: number}, seat: () => number | null, line: () => string | null, name: (seat: number) => string,
 *   round: () => import("../studies/moments.js").Round | undefined, pause: () => void,
 *   lead: (place: Beginning) => void, asked: (number: number) => void,
 *   revealed: (asked: Asked) => void, say: (words: string) => void,
 *   changed: () => void, narrow: () => boolean}} Way
 *   `asked`, `revealed`: of the question whose answers this page shows
 */

import { ask, request } from "../../games/dom/asking.js";
import { box, single, write } from "../../games/dom/elements.js";
import { Newest } from "../../games/dom/newest.js";
import { clock, seconds } from "../../games/match/words.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { questionAt } from "../studies/moments.js";

/** Whether it came before the question ended. @param {Answer} answer */
const early = ({ state, ms }) => state === "answered" && ms !== null;

/**
 * The answers by their words, the commonest first, after the revealed ones.
 * @param {Answer[]} answers @param {string[]} [revealed] @returns {Group[]}
 */
export function grouped(answers, revealed = []) {
  /** @type {Map<string, Group>} */
  const groups = new Map(revealed.map((words) => [words, { words, right: true, people: [] }]));
  for (const answer of answers.filter(({ state }) => state === "answered")) {
    const words = answer.words || (early(answer) ? gettext("gave up") : gettext("no answer"));
    const group = groups.get(words) ?? { words, right: answer.verdict === "right", people: [] };
    group.people.push(answer);
    groups.set(words, group);
  }
  const first = ({ words = "" }) => Number(revealed.includes(words));
  return [...groups.values()].sort(
    (a, b) => first(b) - first(a) || b.people.length - a.people.length,
  );
}

const MOST_NAMES = 12;
/** Who has come to a question tells no one: it is looked up so often while it is open. */
const AGAIN_MS = 5_000;

/** @param {Answer[]} people */
function named(people) {
  const names = people.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = people.length - names.length;
  return [...names, ...(more ? [ngettext("{count} more", "{count} more", more)] : [])].join(", ");
}

/** How many of those who are here have answered. @param {Answer[]} answers */
export const tally = (answers) => ({
  answered: answers.filter(early).length,
  count: answers.filter(({ state }) => state !== "away").length,
});

/** The same in words. @param {Answer[]} answers */
export function counted(answers) {
  const { count, ...all } = tally(answers);
  return count
    ? ngettext("{answered} of {count} answered", "{answered} of {count} answered", count, all)
    : "";
}

/** What everyone was shown, and how many were right, in words. @param {News} news */
export function revealedWords({ right, answers }) {
  const { count } = tally(answers);
  const all = {
    answers: right.join(" · "),
    right: answers.filter(({ verdict }) => verdict === "right").length,
  };
  return right.length
    ? ngettext(
        "The answer: {answers}. {right} of {count} right.",
        "The answer: {answers}. {right} of {count} right.",
        count,
        all,
      )
    : "";
}

/** Whose move it is, and who has not answered, in words. @param {Answer[]} answers @param {string} [player] */
export function summed(answers, player) {
  const asked = answers.filter(({ state }) => state === "asked");
  const words = player ? [gettext("What does {player} play?", { player })] : [];
  if (asked.length) words.push(gettext("waiting for {names}", { names: named(asked) }));
  return words.join(" · ");
}

export class Answers {
  /** @param {HTMLElement} root @param {(news: News) => void} heard */
  constructor(root, heard) {
    this.root = /** @type {HTMLDetailsElement} */ (root);
    this.asking = 0;
    this.heard = heard;
    this.newest = new Newest();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.again = undefined;
    this.count = /** @type {HTMLElement} */ (root.querySelector(".answers-count"));
    this.sum = /** @type {HTMLElement} */ (root.querySelector(".answers-sum"));
    this.list = /** @type {HTMLElement} */ (root.querySelector(".answers"));
  }

  /** From now on those to that question. @param {number} number */
  of(number) {
    this.root.dataset.answers = this.root.dataset.answers?.replace(/\d+(?=\/answers)/, `${number}`);
    this.root.hidden = false;
    this.root.open = false;
    this.show({ answers: [], right: [] });
    return this.load();
  }

  /** Fetches them again. Of several requests at once, the last counts. */
  async load() {
    if (this.root.hidden) return;
    const fresh = this.newest.ask();
    const { ok, data } = await request(
      "GET /api/v1/reviews/{key}/chapters/{number}/answers",
      this.root.dataset.answers ?? "",
    );
    if (!fresh()) return;
    if (ok) {
      if (data.asking !== this.asking) this.root.open = !data.asking;
      this.asking = data.asking;
      this.show(data);
      this.heard(data);
      clearTimeout(this.again);
      if (data.asking) this.again = setTimeout(() => this.load(), AGAIN_MS);
    } else
      write(
        this.count,
        gettext("The answers could not be loaded. {detail}", { detail: data.detail }),
      );
  }

  /** @param {{answers: Answer[], right: string[], player?: string}} news */
  show({ answers, right: revealed, player }) {
    write(this.count, counted(answers));
    write(this.sum, summed(answers, player));
    const given = answers.filter(({ state }) => state === "answered").length;
    const rows = grouped(answers, revealed).map(({ words, people, ...group }) => {
      const right = group.right && !this.asking;
      const who = people.flatMap(({ name, ms }, at) => [
        at ? " · " : "",
        box("bdi", "", name),
        ms === null ? "" : ` ${seconds(ms)}`,
      ]);
      const head = box("b", "", right ? `✓ ${words}` : words);
      if (right) head.append(box("span", "spoken", ` · ${gettext("right")}`));
      const row = box(
        "li",
        right ? "is-right" : "",
        head,
        box("b", "", `${people.length}`),
        box("span", "whole soft small breaks", ...who),
      );
      row.style.setProperty("--part", `${(100 * people.length) / Math.max(1, given)}%`);
      return row;
    });
    this.list.replaceChildren(...rows);
  }
}

/**
 * A coach asks everyone in a review for a class: what to play at this moment, or the chapter's
 * question. Everyone's match stops until the answer is shown.
 */
export class Asking {
  /**
   * @param {HTMLElement} root @param {HTMLElement | null} kept where the question is saved, once shown
   * @param {number} chapter the one that the page shows @param {Way} way
   */
  constructor(root, kept, chapter, way) {
    this.root = root;
    this.kept = kept;
    this.chapter = chapter;
    this.way = way;
    /** @type {Asked | null} */
    this.moment = JSON.parse(root.dataset.moment || "null");
    this.asking = root.dataset.asking === "yes";
    this.button = /** @type {HTMLElement | null} */ (root.querySelector("[data-do=moment]"));
    /** @param {string} name @param {() => Promise<unknown>} run */
    const press = (name, run) =>
      root.querySelector(`[data-do=${name}]`)?.addEventListener("click", single(run));
    press("moment", () => this.#askMoment());
    press("ask", () => this.#ask({ chapter: this.chapter }));
    press("reveal", async () => {
      if (!(await this.#said("reveal", {}))) return;
      this.#show(false);
      if (this.moment) way.revealed(this.moment);
    });
    kept?.querySelector("button")?.addEventListener(
      "click",
      single(() => this.#keep(kept)),
    );
  }

  /** What the server says of it. @param {News} news */
  heard({ asking, forgotten }) {
    if (this.asking && !asking && forgotten) this.way.say(forgotten);
    this.#show(asking > 0);
  }

  /** @param {boolean} asking */
  #show(asking) {
    this.asking = asking;
    const focused = this.root.contains(document.activeElement);
    /** @type {NodeListOf<HTMLElement>} */
    const parts = this.root.querySelectorAll("[data-while]");
    for (const part of parts) part.hidden = (part.dataset.while === "asking") !== asking;
    this.aim();
    if (focused) [...parts].find((part) => !part.hidden)?.focus();
    if (this.kept) this.kept.hidden = asking || this.moment === null;
    this.way.changed();
  }

  /** Whose move would be asked for, and what it was. */
  #next() {
    const { way } = this;
    return way.line() ? null : questionAt(way.round(), way.cursor().event, way.seat());
  }

  /** The button says whose move it would ask for. At the chapter's own question it isn't needed. */
  aim() {
    if (!this.button) return;
    const { own } = this.root.dataset;
    const next = this.#next();
    const { round, event } = this.way.cursor();
    this.button.hidden = this.asking || own === `${round} ${event} ${next?.seat}`;
    const player = next && !(own && this.way.narrow()) && this.way.name(next.seat);
    const words = player && gettext("Ask: what does {player} play?", { player });
    write(this.button, words || gettext("Ask this position"));
  }

  async #askMoment() {
    const { way } = this;
    way.pause();
    const { round, event } = way.cursor();
    const next = this.#next();
    if (!next) return way.say(gettext("Nothing is played after this: go to an earlier position."));
    const { seat } = next;
    const at = { round, event, view: String(seat) };
    const t = way.round()?.events[event - 1]?.t ?? 0;
    const title = gettext("What now? Round {round}, {time}", { round, time: clock(t) });
    const question = { seat, answers: [next.answer] };
    const moment = { ...at, title, match: Number(this.root.dataset.match), question };
    const asked = await this.#ask({ moment });
    if (!asked) return;
    if (this.chapter) way.lead({ ...at, chapter: asked, line: "", speed: 100 });
    else {
      this.moment = { round, event, seat };
      way.asked(asked);
    }
  }

  /** @param {object} body @returns {Promise<number>} the chapter that is asked */
  async #ask(body) {
    const said = await this.#said("ask", body);
    if (said) this.#show(true);
    return said?.asking ?? 0;
  }

  /** @param {HTMLElement} root */
  async #keep(root) {
    const kept = await this.#said("keep", { as: "question" }, root);
    if (!kept) return;
    const link = box("a", { href: kept.address }, gettext("Open the question"));
    root.querySelector("[role=status]")?.replaceChildren(`${gettext("Saved.")} `, link);
  }

  /**
   * @param {"ask" | "reveal" | "keep"} what @param {object} body @param {HTMLElement} [root] with the
   * address @returns {Promise<any>}
   */
  async #said(what, body, root = this.root) {
    const { ok, data } = await ask("POST", root.dataset[what] ?? "", body);
    this.way.say(ok ? "" : gettext("Not done. {detail}", { detail: data.detail }));
    return ok ? data : null;
  }
}
