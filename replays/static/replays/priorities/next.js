/**
 * Three things to try next, as the site writes them for the one who asks: after a match, at its table
 * and on its page.
 */

import { pageAt } from "../../games/dom/asking.js";
import { box, styled, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { answerAt } from "../jobs/waiting.js";

const STYLE = new URL("./priorities.css", import.meta.url).href;

/** Shows them in their place, which stays hidden while there are none. @param {HTMLElement} place */
export async function mount(place) {
  const page = await pageAt(place.dataset.url ?? "");
  const priorities = page?.getElementById("next");
  if (!priorities?.children.length) return;
  await styled(STYLE);
  place.replaceChildren(...priorities.childNodes);
  place.hidden = false;
  const judge = /** @type {HTMLElement | null} */ (place.querySelector("[data-judge]"));
  const verdict = /** @type {HTMLElement | null} */ (place.querySelector("[data-report]"));
  if (verdict) explain(verdict).catch(() => verdict.remove()); // the match's page says it too
  judge?.addEventListener("click", () => judged(place, judge));
}

/** Says why they won or lost, once the match is analysed. @param {HTMLElement} verdict */
async function explain(verdict) {
  const { report = "", seat } = verdict.dataset;
  /** @type {import("api").MatchReport} */
  const { facts, own_verdicts } = await answerAt(report, box("div", ""), "");
  write(verdict, own_verdicts[Number(seat)] || facts[0]);
  verdict.hidden = false;
}

/** Has the decisions judged, then shows the result. @param {HTMLElement} place @param {HTMLElement} judge */
async function judged(place, judge) {
  const job = /** @type {HTMLElement} */ (judge.parentElement);
  try {
    await answerAt(judge.dataset.judge ?? "", job, gettext("Judging your decisions"));
    await mount(place);
  } catch (error) {
    job.textContent = error instanceof Error ? error.message : String(error);
  }
}
