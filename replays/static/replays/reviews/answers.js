/**
 * What the members of a review answer to the question of the chapter they are in: for the writers of
 * the study, as it comes. Names and answers are hidden at first, since the leader may share a screen.
 * @typedef {{name: string, state: "answered" | "asked" | "away", words: string, verdict: string,
 *   ms: number | null}} Answer
 * @typedef {{words: string, right: boolean, people: Answer[]}} Group those who answered the same
 */

import { Newest, request } from "../../games/dom/asking.js";
import { box, write } from "../../games/dom/elements.js";
import { seconds } from "../../games/match/words.js";
import { gettext, ngettext } from "../../games/words/gettext.js";

/** The answers by their words, the commonest first. @param {Answer[]} answers @returns {Group[]} */
export function grouped(answers) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const answer of answers.filter(({ state }) => state === "answered")) {
    const words = answer.words || gettext("gave up");
    const group = groups.get(words) ?? { words, right: answer.verdict === "right", people: [] };
    group.people.push(answer);
    groups.set(words, group);
  }
  return [...groups.values()].sort((a, b) => b.people.length - a.people.length);
}

const MOST_NAMES = 12;

/** @param {Answer[]} people */
function named(people) {
  const names = people.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = people.length - names.length;
  return [...names, ...(more ? [ngettext("{count} more", "{count} more", more)] : [])].join(", ");
}

/** How many have answered, and who has not, in words. @param {Answer[]} answers */
export function summed(answers) {
  const those = (/** @type {string} */ state) => answers.filter((one) => one.state === state);
  const [asked, away] = [those("asked"), those("away")];
  const words = [
    ngettext("{answered} of {count} answered", "{answered} of {count} answered", answers.length, {
      answered: those("answered").length,
    }),
  ];
  if (asked.length) words.push(gettext("waiting for {names}", { names: named(asked) }));
  if (away.length) words.push(gettext("not here: {names}", { names: named(away) }));
  return words.join("; ");
}

/** From 0 to the slowest. @param {Answer[]} people @param {number} most in ms */
function line(people, most) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 200 12");
  picture.setAttribute("aria-hidden", "true");
  for (const { ms } of people) {
    const dot = document.createElementNS(SVG, "circle");
    const at = { cx: `${6 + (188 * (ms ?? 0)) / most}`, cy: "6", r: "5" };
    for (const [name, value] of Object.entries(at)) dot.setAttribute(name, value);
    picture.append(dot);
  }
  return picture;
}

const SVG = "http://www.w3.org/2000/svg";

export class Answers {
  /**
   * @param {HTMLElement} root @param {(news: {asking: number, forgotten: string}) => void} heard
   */
  constructor(root, heard) {
    this.root = root;
    this.heard = heard;
    this.newest = new Newest();
    this.count = /** @type {HTMLElement} */ (root.querySelector(".answers-count"));
    this.list = /** @type {HTMLElement} */ (root.querySelector(".answers-table tbody"));
    this.axis = /** @type {HTMLElement} */ (root.querySelector(".answers-axis"));
  }

  /** From now on those to that question. @param {number} number */
  of(number) {
    this.root.dataset.answers = this.root.dataset.answers?.replace(/\d+(?=\/answers)/, `${number}`);
    this.root.hidden = false;
    this.show([]);
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
      this.show(data.answers);
      this.heard(data);
    } else write(this.count, gettext("could not be loaded: {detail}", { detail: data.detail }));
  }

  /** @param {Answer[]} answers */
  show(answers) {
    write(this.count, summed(answers));
    const most = Math.max(1_000, ...answers.map(({ ms }) => ms ?? 0));
    const rows = grouped(answers).map(({ words, right, people }) => {
      const who = people.map(({ name, ms }) =>
        box("span", "answer-by", box("bdi", "", name), ms === null ? "" : ` ${seconds(ms)}`),
      );
      const head = box("th", { scope: "row" }, words, right ? ` · ${gettext("right")}` : "");
      return box(
        "tr",
        right ? "is-right" : "",
        head,
        box("td", "answer-count", `${people.length}`),
        box("td", "answer-times", line(people, most)),
        box("td", "answer-people", ...who),
      );
    });
    this.list.replaceChildren(...rows);
    write(
      this.axis,
      rows.length ? gettext("0 to {time}", { time: seconds(most) }) : gettext("Time"),
    );
    const table = /** @type {HTMLElement} */ (this.list.parentElement);
    table.hidden = rows.length === 0;
  }
}
