/**
 * A newcomer who presses only what a guided round highlights: the page's own modules, without a
 * page. Reads JSON lines from its input and answers each with one.
 */

import { createInterface } from "node:readline";
import { Log } from "../../games/static/games/match/log.js";
import { Lessons, ruleOf } from "../../games/static/games/play/lessons.js";
import { OwnSeat } from "../../games/static/games/play/seat.js";

/** @param {{seat: number, uses: any, names: string[]}} page */
function newcomer({ seat, uses, names }) {
  const log = new Log({ id: "m", seats: names.map((name) => ({ name, kind: "bot" })) }, null, 9);
  /** @type {import("../../games/static/games/live/socket.js").Asked | null} */
  let asked = null;
  const own = new OwnSeat(seat, uses, (action) => {
    asked = action;
    return "a";
  });
  const lessons = new Lessons(seat, names);
  const press = () => {
    asked = null;
    own.clear();
    if (!log.last?.timeline) return { asked, lesson: null, words: "", before: "", done: [] };
    own.confirm(log.last.timeline.table);
    lessons.follow(log.last, own);
    const step = lessons.now(own, { autodraw: true, quick: true });
    const words = step ? ruleOf(step, own) : "";
    if (step?.press?.do === "play") own.play(step.press.fitting.card, step.press.fitting.slot);
    else if (step?.press?.do === "discard") own.discard(step.press.card);
    else if (step?.press?.do === "out") own.shout();
    return { asked, lesson: step?.lesson, words, before: step?.before, done: [...lessons.done] };
  };
  return { log, own, press };
}

/** @type {ReturnType<typeof newcomer> | null} */
let player = null;
for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line);
  if (said.page) player = newcomer(said.page);
  if (said.lines) player?.log.append(said);
  process.stdout.write(`${JSON.stringify(said.press ? player?.press() : {})}\n`);
}
