// @ts-check
/**
 * What the members of a review answer to the question of the chapter they are in: for the writers of
 * the study, as it comes. Names and answers are hidden at first, since the leader may share a screen.
 *
 * @typedef {{name: string, state: "answered" | "asked" | "away", words: string, verdict: string,
 *   ms: number | null}} Answer
 * @typedef {{words: string, right: boolean, people: Answer[]}} Group those who answered the same
 */

import { ask } from "../../games/dom/asking.js";
import { box, write } from "../../games/dom/elements.js";
import { Newest } from "../../games/dom/newest.js";

/** The answers by what was said, the commonest first. @param {Answer[]} answers @returns {Group[]} */
export function grouped(answers) {
  /** @type {Map<string, Group>} */
  const found = new Map();
  for (const one of answers.filter(({ state }) => state === "answered")) {
    const words = one.words || "gave up";
    const group = found.get(words) ?? { words, right: one.verdict === "right", people: [] };
    group.people.push(one);
    found.set(words, group);
  }
  return [...found.values()].sort((a, b) => b.people.length - a.people.length);
}

/** How many have answered, in words. @param {Answer[]} answers */
export function summed(answers) {
  const count = (/** @type {string} */ state) =>
    answers.filter((one) => one.state === state).length;
  const asked = count("asked");
  const now = asked ? `, ${asked} at it` : "";
  return `${count("answered")} of ${answers.length} answered${now}`;
}

/** @param {number | null} ms */
const seconds = (ms) => (ms === null ? "" : `${(ms / 1000).toFixed(1)} s`);

export class Answers {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.newest = new Newest();
    this.count = /** @type {HTMLElement} */ (root.querySelector(".answers-count"));
    this.list = /** @type {HTMLElement} */ (root.querySelector(".answers-list"));
  }

  /** Fetches them again; of several at once, the last. */
  async load() {
    const fresh = this.newest.ask();
    const { ok, data } = await ask("GET", this.root.dataset.answers ?? "");
    if (!fresh()) return;
    if (ok) this.show(data.answers);
    else write(this.count, `could not be loaded: ${data.detail}`);
  }

  /** @param {Answer[]} answers */
  show(answers) {
    write(this.count, summed(answers));
    const most = Math.max(1, ...grouped(answers).map(({ people }) => people.length));
    const rows = grouped(answers).map(({ words, right, people }) => {
      const bar = box("meter", { max: most, value: people.length, "aria-hidden": "true" });
      const who = people.map(({ name, ms }) =>
        box("span", "answer-by", box("bdi", "", name), ` ${seconds(ms)}`),
      );
      const head = box(
        "p",
        "answer-head",
        box("b", "", words),
        ` ${people.length}${right ? " · right" : ""}`,
      );
      return box("li", right ? "is-right" : "", head, bar, box("p", "answer-people", ...who));
    });
    this.list.replaceChildren(...rows);
  }
}
