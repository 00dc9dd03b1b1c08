/**
 * A chapter's page: the replay page at the chapter's place and speed, with the chapter's span, its
 * question, and for its writers an editor.
 * @typedef {import("api").ChapterJson} Chapter
 * @typedef {{chapter: Chapter, study: string, state: string, speed: number, writer: boolean,
 *   account: string, question: {seat: number, timed: boolean, limit_ms: number | null, passed_ms: number | null, answer: import("./moments.js").Answer | null} | null, urls: Record<string, string>,
 *   token: string}} Lesson  `token`: opens it for others, if it is shared by link
 * @import { Page } from "../replay/page.js"
 */

import { ask, whenSeen } from "../../games/dom/asking.js";
import { copied } from "../../games/dom/controls.js";
import { bringIntoView, byId, write } from "../../games/dom/elements.js";
import { restKeys } from "../../games/dom/keptkeys.js";
import { tabStorage } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
import { ghostRaceAddress, share, showShared } from "../addresses/copying.js";
import { followMoment } from "../notes/links.js";
import { playSpan } from "../replay/page.js";
import { ANSWERED, WIDE } from "./wide.js";

/** The tools that the page came with. @param {string} name */
const tool = (name) => document.getElementById(`chapter-${name}`);

/** A tool's button, which waits for its script. @param {string} name @param {() => void} act */
function bind(name, act) {
  const button = /** @type {HTMLButtonElement | null} */ (tool(name));
  if (!button) return;
  button.addEventListener("click", act);
  button.disabled = false;
}

/** The chapter's place. The page's own Play plays its span. @param {Lesson} lesson @param {Page} page */
function bindPlace({ chapter }, page) {
  const { round, event, until } = chapter;
  const { player } = page;
  bind("moment", async () => {
    bringIntoView(page.board.root);
    await player.playFrom({ round, event });
  });
  if (until !== null) playSpan(page, { round, event, until });
}

/** The link to a ghost race from the chapter's moment, in the seat that it is seen from. @param {Chapter} chapter */
function bindRace(chapter) {
  const link = /** @type {HTMLAnchorElement | null} */ (tool("race"));
  if (!link) return;
  const url = link.dataset.race ?? "";
  const point = () => {
    const { round, event, line, view } = chapter;
    const seat = /^\d$/.test(view) ? view : "0";
    link.href = ghostRaceAddress(url, { round, event, line, seat });
  };
  point();
  // Its writer may have moved the chapter since.
  for (const kind of ["pointerdown", "focus", "mouseenter"]) link.addEventListener(kind, point);
}

/** A puzzle's result in words that give nothing away, with its address. */
function bindShare() {
  const words = tool("share")?.dataset.words ?? "";
  bind("share", async () => {
    const said = `${words} ${location.origin}${location.pathname}`;
    write(
      byId("chapter-shared"),
      (await copied(said)) ? gettext("Copied, without the answer.") : said,
    );
  });
}

/**
 * As far down as the question was: its hand stays where it was.
 * @param {HTMLElement} lesson @param {HTMLElement} table
 */
function scrollBack(lesson, table) {
  const scrolled = tabStorage().getItem(ANSWERED);
  tabStorage().removeItem(ANSWERED);
  if (scrolled === null || WIDE.matches) return;
  scrollTo(0, Number(scrolled));
  // The table sticks to the top. The verdict begins below it, not behind it.
  const verdict = lesson.querySelector("[role=status]")?.getBoundingClientRect();
  const stage = table.parentElement?.getBoundingClientRect();
  if (verdict && stage) scrollBy(0, Math.min(0, verdict.top - stage.bottom));
}

/** @param {HTMLElement} root @param {Page} page */
export async function mount(root, page) {
  /** @type {Lesson} */
  const lesson = JSON.parse(byId("lesson-data").textContent ?? "null");
  const { player } = page;
  if (lesson.token) showShared(lesson.token);
  player.speed = lesson.speed / 100;
  player.changeSpeed(0);
  byId("chapter-words").addEventListener("click", (event) => followMoment(event, player));
  if (lesson.urls.opened) whenSeen(() => ask("POST", lesson.urls.opened + share(), {}));
  if (lesson.state === "after" && lesson.question) {
    const { seat } = lesson.question;
    page.board.sitAt(seat);
    restKeys();
    write(byId("question-player"), page.names[seat]);
    scrollBack(root, page.board.root);
  }
  if (lesson.state === "at" || lesson.state === "held") {
    const { Question } = await import("./question.js");
    new Question(lesson, page).start();
    return;
  }
  bindPlace(lesson, page);
  bindRace(lesson.chapter);
  bindShare();
  if (!lesson.writer) return;
  bind("new", () => page.run("collect"));
  const { mount: edit } = await import("./chaptereditor.js");
  await edit(lesson, page);
}
