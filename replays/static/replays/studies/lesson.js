// @ts-check
/**
 * A chapter's page: the replay page at the chapter's place and speed, with the chapter's span, its
 * question, and for its writers an editor.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").ChapterJson} Chapter
 * @typedef {{chapter: Chapter, study: string, state: string, speed: number, writer: boolean,
 *   csrf: string, account: string, question: {seat: number, timed: boolean, limit_ms: number | null, passed_ms: number | null} | null, urls: Record<string, string>,
 *   shared: boolean, token: string}} Lesson  `shared`: whether others can open it; `token`: by link
 * @typedef {{player: Player, board: import("../../games/board/board.js").Board,
 *   names: string[], line: string | null,
 *   view: () => import("../../games/match/perspective.js").View,
 *   commands: Record<string, () => void>}} Page
 */

import { box, button, byId, write } from "../../games/dom/elements.js";
import { copied, sharedAddress, showShared } from "../addresses/copying.js";
import { ghostRaceAddress } from "../addresses/ghostrace.js";
import { Loop } from "../notes/loop.js";
import { followMoments } from "./momentlinks.js";

/** Buttons for the chapter's span or place. @param {Lesson} lesson @param {Player} player */
function spanTools({ chapter }, player) {
  const { round, event, until } = chapter;
  const back = button("button small", "To the chapter’s moment", () => {
    player.pause();
    player.goTo({ round, event });
  });
  if (until === null) return [back];
  const loop = new Loop(player, () => {
    player.pause();
    player.goTo({ round, event: until });
  });
  const play = button("button small primary", "Play the chapter", () =>
    loop.start({ round, event, until }),
  );
  return [play, back];
}

/** A link to a ghost race from the chapter's moment, in the seat that it is seen from. @param {Chapter} chapter */
function playIt(chapter) {
  const url = document.getElementById("panel-what-if")?.dataset.race;
  if (!url) return [];
  const link = /** @type {HTMLAnchorElement} */ (
    box("a", "button small", "Play it from here yourself")
  );
  const point = () => {
    const { round, event, line, view } = chapter;
    const seat = /^\d$/.test(view) ? view : "0";
    link.href = ghostRaceAddress(url, { round, event, line, seat });
  };
  point();
  // Its writer may have moved the chapter since.
  for (const kind of ["pointerdown", "focus", "mouseenter"]) link.addEventListener(kind, point);
  link.title = "Race the ghosts: the others play as they did, until you change it";
  return [link];
}

/** A button for the link to what is shown, with which others open it too. @param {Lesson} lesson */
function copyLink({ shared, token }) {
  if (!shared) return [];
  const said = box("span", "soft");
  said.setAttribute("role", "status");
  const press = button("button small", "Copy link", async () => {
    const address = sharedAddress(token);
    address.hash = "";
    write(said, (await copied(address.href)) ? "Link copied." : `The link: ${address}`);
  });
  return [press, said];
}

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  /** @type {Lesson} */
  const lesson = JSON.parse(byId("lesson-data").textContent ?? "null");
  const { player } = page;
  if (lesson.token) showShared(lesson.token);
  player.speed = lesson.speed / 100;
  player.changeSpeed(0);
  followMoments(byId("chapter-words"), player);
  if (lesson.state === "question") {
    const { Question } = await import("./question.js");
    new Question(lesson, page).start();
    return;
  }
  const tools = byId("lesson-tools");
  if (!lesson.chapter.line) tools.append(...spanTools(lesson, player));
  tools.append(...playIt(lesson.chapter), ...copyLink(lesson));
  const { drill } = await import("./drill.js");
  // Whoever drills does not write: the editors come back when the drill has ended.
  if (drill(lesson, panel) || !lesson.writer) return;
  tools.append(button("button small", "New chapter from here", () => page.commands.collect?.()));
  const { mount: edit } = await import("./chaptereditor.js");
  await edit(lesson, page);
}
