/**
 * How a race went: the seat's times beside the original's, and the variation that it is kept as.
 * @import { Outcome, Page, Times } from "./ghostrace.js"
 */

import { request } from "../../games/dom/asking.js";
import { scrolling } from "../../games/dom/controls.js";
import { box, button, write } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { faceOf, WILD } from "../../games/match/fold.js";
import { clock, counted, ending, signed } from "../../games/match/words.js";
import { keepDraft } from "../variations/linedrafts.js";

/** @type {Record<string, string>} */
const DID = {
  play: "Play",
  draw: "Draw",
  discard: "Discard",
  tie: "Tied",
  late: "Late with",
  miss: "Mistake with",
};

/** @param {HTMLElement} root @param {Outcome} outcome @param {Page} page */
export function showOutcome(root, outcome, page) {
  const names = page.seats.map(({ name }) => name);
  const title = box("h2", "", titleOf(outcome.why));
  title.id = "ghost-race-end-title";
  const { key, lines, acted, trouble } = outcome;
  const own = key ? [] : lines;
  const room = keepDraft(page.id, page.account, own, browserStorage());
  const kept = key ?? (room ? own.at(-1)?.id : null) ?? null;
  const why = room ? trouble : "this browser stores nothing for this site";
  root.replaceChildren(
    title,
    ...outcome.stacks.map((stack) => box("p", "ghost-race-stack", stackWords(stack, names))),
    box("p", "ghost-race-score", scoreWords(outcome, names[page.seat])),
    keeping(kept, key, page, acted ? why : "you did nothing, so there is nothing to keep"),
    ...(outcome.times.length ? [table(outcome.times)] : []),
  );
  root.hidden = false;
  root.focus();
}

/** @param {string} why */
function titleOf(why) {
  if (why === "left") return "The race was stopped";
  if (why === "time") return "The race took too long and was stopped";
  const { title, why: because } = ending(why);
  return because ? `${title}: ${because}` : title;
}

/**
 * How the player did against somebody who took a stack.
 * @param {Outcome["stacks"][number]} stack @param {string[]} names
 */
export function stackWords({ won, other, ms, cards }, names) {
  const [who, size] = [names[other], counted(cards, "card")];
  if (!won) return `${who} beat you to it by ${ms} ms: ${size}.`;
  if (ms > 0) return `You beat ${who} to it by ${ms} ms: ${size}.`;
  return `You took ${size} that ${who} took in the match.`;
}

/** @param {Pick<Outcome, "t" | "score" | "original">} outcome @param {string} recorded */
export function scoreWords({ t, score, original }, recorded) {
  const [own, theirs] = [score, original].map((n) => counted(n, "point").replace("-", "−"));
  return `At ${clock(t)} you have ${own} for the round. In the match ${recorded} had ${theirs} then.`;
}

/**
 * @param {string | null} kept the variation's key, wherever it is kept
 * @param {string | null} key its key on the site
 * @param {Page} page
 * @param {string} trouble why it is not kept
 */
function keeping(kept, key, page, trouble) {
  const again = button(kept ? "button" : "button primary", "Race again", () => location.reload());
  const row = box("div", "actions");
  if (!kept) {
    row.append(again);
    return box("div", "ghost-race-kept stack", box("p", "", `Not kept: ${trouble}.`), row);
  }
  const where = key ? "visible to you only" : "in this browser, until you have a name here";
  const words = box("p", { role: "status" }, `Kept as a variation, ${where}.`);
  const look = /** @type {HTMLAnchorElement} */ (
    box("a", "button primary", "Watch it in the replay")
  );
  look.href = `${page.replay}?line=${encodeURIComponent(kept)}&event=${page.event + 1}`;
  row.append(look, again, ...(key ? [removing(key, page, words)] : []));
  return box("div", "ghost-race-kept stack", words, row);
}

/** @param {string} key @param {Page} page @param {HTMLElement} words */
function removing(key, page, words) {
  const url = page.variation.replace("KEY", key);
  let gone = false;
  const remove = button("button", "Delete it", async () => {
    const { ok, data } = gone
      ? await request("POST /api/v1/variations/{key}/restore", `${url}/restore`, {})
      : await request("DELETE /api/v1/variations/{key}", url, { revision: await revision(url) });
    if (!ok) {
      write(words, `That failed: ${data.detail}.`);
      return;
    }
    gone = !gone;
    write(words, gone ? "Deleted." : "Kept as a variation, visible to you only.");
    write(remove, gone ? "Undo" : "Delete it");
  });
  return remove;
}

/** @param {string} url */
async function revision(url) {
  const { ok, data } = await request("GET /api/v1/variations/{key}", url);
  return ok ? data.revision : undefined;
}

/** @param {Times[]} times */
function table(times) {
  const head = ["What", "Original", "You", "Difference"].map((words) => cell("th", words));
  const rows = times.map((pair) => {
    const { happened, instead } = pair;
    const both = happened !== null && instead !== null;
    const change = both ? instead - happened : 0;
    return box(
      "tr",
      both && change < 0 ? "is-faster" : "",
      cell("th", whatOf(pair), "row"),
      cell("td", exact(happened)),
      cell("td", exact(instead)),
      cell("td", both ? `${signed(Math.round(change))} ms` : ""),
    );
  });
  const caption = box("caption", "", "Your times beside the original’s");
  const body = box("tbody", "", ...rows);
  const element = box(
    "table",
    "ghost-race-times",
    caption,
    box("thead", "", box("tr", "", ...head)),
    body,
  );
  return scrolling("Your times beside the original’s", element);
}

/** To the ms, as it was judged. @param {number | null} t */
const exact = (t) => (t === null ? "–" : clock(t) + String(t % 100).padStart(2, "0"));

/** @param {Times} times */
function whatOf({ do: what, card }) {
  const face = faceOf(card) === WILD ? "a wild" : `a ${faceOf(card)}`;
  return `${DID[what] ?? what} ${face}`;
}

/** @param {"td" | "th"} tag @param {string} words @param {string} [scope] */
const cell = (tag, words, scope = "col") => box(tag, tag === "td" ? "num" : { scope }, words);
