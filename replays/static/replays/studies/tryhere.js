/**
 * A question of one's own match, asked on the table of the match's page: the page of its chapter
 * is read, and its parts are shown here.
 * @import { Page } from "../replay/page.js"
 * @import { Lesson } from "./lesson.js"
 */

import { bringIntoView, styled } from "../../games/dom/elements.js";
import { pageAt } from "../../games/dom/pages.js";
import { timeAt } from "./moments.js";
import { WIDE } from "./wide.js";

const STYLE = new URL("./question.css", import.meta.url).href;
/** How long before the question the match plays, in ms. */
const LEAD_MS = 4000;

/**
 * @param {HTMLFormElement} form it asks for the question
 * @param {HTMLElement} list where others are asked for, which waits
 * @param {Page} page
 * @param {(verdict: Element | null) => void} done
 */
export async function tryHere(form, list, page, done) {
  list.inert = true;
  const [written, { Question }] = await Promise.all([
    pageAt(form.action, new FormData(form)),
    import("./question.js"),
    styled(STYLE),
  ]);
  const asked = written?.getElementById("question");
  if (!written || !asked) return form.submit(); // its page has the reason
  /** @type {Lesson} */
  const lesson = JSON.parse(written.getElementById("lesson-data")?.textContent ?? "null");
  const { player, state } = page;
  const { decides, view } = state;
  page.call("mainline");
  page.set({ decides: new Set(), view: lesson.question?.seat ?? view }); // and no next play drawn
  await toTheRunUp(page, lesson.chapter);
  if (!WIDE.matches) page.board.root.before(asked);
  else document.querySelector(".side")?.prepend(asked);
  player.setSpeed(lesson.speed / 100, false);
  const question = new Question(lesson, page, async () => {
    const told = await pageAt(lesson.urls.page);
    for (const id of ["question", "question-choice"]) document.getElementById(id)?.remove();
    list.inert = false;
    page.set({ decides, view });
    done(told?.querySelector(".verdict") ?? null);
    const { round, event } = lesson.chapter;
    await player.playFrom({ round, event });
  });
  question.start();
  bringIntoView(WIDE.matches ? page.board.root : asked);
}

/** @param {Page} page @param {{round: number, event: number}} stop */
async function toTheRunUp({ player }, { round, event }) {
  const there = player.log.rounds[round - 1];
  await player.log.load(there);
  await player.goTo({ round, t: Math.max(0, timeAt(there, event) - LEAD_MS) });
}
