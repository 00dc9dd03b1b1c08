/**
 * How a race went: the seat's times beside the original's, and the variation that it is kept as.
 * @import { Outcome, Page, Times } from "./ghostrace.js"
 */

import { request, sentence } from "../../games/dom/asking.js";
import { box, byId, single, write } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { cardName, clock, ending } from "../../games/match/words.js";
import { gettext, ngettext, signed } from "../../games/words/gettext.js";
import { keepDraft } from "../variations/lines.js";

/** Fills the page's place for it. @param {HTMLElement} root @param {Outcome} outcome @param {Page} page */
export function showOutcome(root, outcome, page) {
  /** @param {string} kind */
  const part = (kind) => /** @type {HTMLElement} */ (root.querySelector(kind));
  const names = page.seats.map(({ name }) => name);
  const { key, lines, acted, trouble, times } = outcome;
  const own = key ? [] : lines;
  const room = keepDraft(page.id, page.account, own, browserStorage());
  const kept = key ?? (room ? own.at(-1)?.id : null) ?? null;
  const why = room ? trouble : gettext("This browser stores nothing for this site.");
  const stacks = outcome.stacks.map((each) =>
    box("p", "ghost-race-stack", stackWords(each, names)),
  );
  write(part("h2"), titleOf(outcome.why));
  part(".ghost-race-score").before(...stacks);
  write(part(".ghost-race-score"), scoreWords(outcome, names[page.seat]));
  write(
    part("[role=status]"),
    keptWords(kept, key, acted ? why : gettext("You did nothing, so there is nothing to save.")),
  );
  const watch = /** @type {HTMLAnchorElement} */ (byId("ghost-race-watch"));
  watch.hidden = !kept;
  watch.href = `${page.replay}?line=${encodeURIComponent(kept ?? "")}&event=${page.event + 1}`;
  byId("ghost-race-again").classList.toggle("primary", !kept);
  byId("ghost-race-again").addEventListener("click", () => location.reload());
  if (key) offerDeleting(page.variation.replace("KEY", key), part("[role=status]"));
  part(".table-scroll").hidden = !times.length;
  part("tbody").replaceChildren(...times.map(rowOf));
  root.hidden = false;
  root.focus();
}

/** @param {string} why */
function titleOf(why) {
  if (why === "left") return gettext("The race was stopped");
  if (why === "time") return gettext("The race took too long and was stopped");
  const { title, why: because } = ending(why);
  return because ? `${title}. ${because}` : title;
}

/**
 * The player's result against the taker of a stack.
 * @param {Outcome["stacks"][number]} stack @param {string[]} names
 */
export function stackWords({ won, other, ms, cards }, names) {
  const all = { name: names[other], ms };
  if (!won)
    return ngettext(
      "{name} beat you to it by {ms} ms: {count} card.",
      "{name} beat you to it by {ms} ms: {count} cards.",
      cards,
      all,
    );
  if (ms > 0)
    return ngettext(
      "You beat {name} to it by {ms} ms: {count} card.",
      "You beat {name} to it by {ms} ms: {count} cards.",
      cards,
      all,
    );
  return ngettext(
    "You took {count} card that {name} took in the match.",
    "You took {count} cards that {name} took in the match.",
    cards,
    all,
  );
}

/** @param {Pick<Outcome, "t" | "score" | "original">} outcome @param {string} name of whose seat it was */
export function scoreWords({ t, score, original }, name) {
  const own = ngettext(
    "At {time} you have {count} point for the round.",
    "At {time} you have {count} points for the round.",
    score,
    { time: clock(t) },
  );
  const theirs = ngettext(
    "In the match {name} had {count} point then.",
    "In the match {name} had {count} points then.",
    original,
    { name },
  );
  return `${own} ${theirs}`;
}

const SAVED = gettext("Saved to your what-ifs. Only you can see it.");

/**
 * @param {string | null} kept the variation's key, wherever it is kept
 * @param {string | null} key its key on the site
 * @param {string} trouble why it is not kept
 */
function keptWords(kept, key, trouble) {
  if (!kept) return gettext("Not saved. {detail}", { detail: sentence(trouble) });
  return key
    ? SAVED
    : gettext("Saved to your what-ifs in this browser, until you have a name here.");
}

/** @param {string} url of the variation @param {HTMLElement} words */
function offerDeleting(url, words) {
  const remove = byId("ghost-race-delete");
  let gone = false;
  const press = async () => {
    const { ok, data } = gone
      ? await request("POST /api/v1/variations/{key}/restore", `${url}/restore`, {})
      : await request("DELETE /api/v1/variations/{key}", url, { revision: await revision(url) });
    if (!ok) return write(words, gettext("That did not work. {detail}", { detail: data.detail }));
    gone = !gone;
    write(words, gone ? gettext("Deleted.") : SAVED);
    write(remove, gone ? gettext("Undo") : gettext("Delete it"));
  };
  remove.addEventListener("click", single(press));
  remove.hidden = false;
}

/** @param {string} url */
async function revision(url) {
  const { ok, data } = await request("GET /api/v1/variations/{key}", url);
  return ok ? data.revision : undefined;
}

/** @param {Times} times */
function rowOf(times) {
  const { happened, instead } = times;
  const change = happened === null || instead === null ? null : instead - happened;
  const words =
    change === null ? "" : gettext("{change} ms", { change: signed(Math.round(change)) });
  const cells = [exact(happened), exact(instead), words].map((said) => box("td", "num", said));
  const kind = (change ?? 0) < 0 ? "is-faster" : "";
  return box("tr", kind, box("th", { scope: "row" }, whatOf(times)), ...cells);
}

/** To the ms, as it was judged. @param {number | null} t */
const exact = (t) => (t === null ? "–" : clock(t) + String(t % 100).padStart(2, "0"));

/** @param {Times} times */
function whatOf({ do: what, card }) {
  const all = { card: cardName(card) };
  const words = /** @type {Record<string, string>} */ ({
    play: gettext("Play {card}", all),
    draw: gettext("Draw {card}", all),
    discard: gettext("Discard {card}", all),
    tie: gettext("Tied {card}", all),
    late: gettext("Late with {card}", all),
    miss: gettext("Mistake with {card}", all),
  });
  return words[what] ?? what;
}
