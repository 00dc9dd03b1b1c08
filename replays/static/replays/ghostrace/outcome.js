/**
 * How a race went: the seat's times beside the original's, and the variation that it is kept as.
 * @import { Outcome, Page, Times } from "./ghostrace.js"
 */

import { request, sentence } from "../../games/dom/asking.js";
import { scrolling } from "../../games/dom/controls.js";
import { box, button, write } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { cardName, clock, ending } from "../../games/match/words.js";
import { gettext, ngettext, signed } from "../../games/words/gettext.js";
import { keepDraft } from "../variations/lines.js";

/** @param {HTMLElement} root @param {Outcome} outcome @param {Page} page */
export function showOutcome(root, outcome, page) {
  const names = page.seats.map(({ name }) => name);
  const title = box("h2", "", titleOf(outcome.why));
  title.id = "ghost-race-end-title";
  const { key, lines, acted, trouble } = outcome;
  const own = key ? [] : lines;
  const room = keepDraft(page.id, page.account, own, browserStorage());
  const kept = key ?? (room ? own.at(-1)?.id : null) ?? null;
  const why = room ? trouble : gettext("This browser stores nothing for this site.");
  root.replaceChildren(
    title,
    ...outcome.stacks.map((stack) => box("p", "ghost-race-stack", stackWords(stack, names))),
    box("p", "ghost-race-score", scoreWords(outcome, names[page.seat])),
    keeping(
      kept,
      key,
      page,
      acted ? why : gettext("You did nothing, so there is nothing to save."),
    ),
    ...(outcome.times.length ? [table(outcome.times)] : []),
  );
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

/**
 * @param {string | null} kept the variation's key, wherever it is kept
 * @param {string | null} key its key on the site
 * @param {Page} page
 * @param {string} trouble why it is not kept
 */
function keeping(kept, key, page, trouble) {
  const again = button(kept ? "button" : "button primary", gettext("Race again"), () =>
    location.reload(),
  );
  const row = box("div", "actions");
  if (!kept) {
    row.append(again);
    return box(
      "div",
      "ghost-race-kept stack",
      box("p", "", gettext("Not saved. {detail}", { detail: sentence(trouble) })),
      row,
    );
  }
  const where = key
    ? gettext("Saved to your what-ifs. Only you can see it.")
    : gettext("Saved to your what-ifs in this browser, until you have a name here.");
  const words = box("p", { role: "status" }, where);
  const look = /** @type {HTMLAnchorElement} */ (
    box("a", "button primary", gettext("Watch it in the replay"))
  );
  look.href = `${page.replay}?line=${encodeURIComponent(kept)}&event=${page.event + 1}`;
  row.append(look, again, ...(key ? [removing(key, page, words)] : []));
  return box("div", "ghost-race-kept stack", words, row);
}

/** @param {string} key @param {Page} page @param {HTMLElement} words */
function removing(key, page, words) {
  const url = page.variation.replace("KEY", key);
  let gone = false;
  const remove = button("button", gettext("Delete it"), async () => {
    const { ok, data } = gone
      ? await request("POST /api/v1/variations/{key}/restore", `${url}/restore`, {})
      : await request("DELETE /api/v1/variations/{key}", url, { revision: await revision(url) });
    if (!ok) {
      write(words, gettext("That did not work. {detail}", { detail: data.detail }));
      return;
    }
    gone = !gone;
    write(
      words,
      gone ? gettext("Deleted.") : gettext("Saved to your what-ifs. Only you can see it."),
    );
    write(remove, gone ? gettext("Undo") : gettext("Delete it"));
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
  const head = [gettext("What"), gettext("Original"), gettext("You"), gettext("Difference")].map(
    (words) => cell("th", words),
  );
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
      cell("td", both ? gettext("{change} ms", { change: signed(Math.round(change)) }) : ""),
    );
  });
  const caption = box("caption", "soft", gettext("Your times beside the original’s"));
  const body = box("tbody", "", ...rows);
  const element = box(
    "table",
    "ghost-race-times dense-table",
    caption,
    box("thead", "", box("tr", "", ...head)),
    body,
  );
  return scrolling(gettext("Your times beside the original’s"), element);
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

/** @param {"td" | "th"} tag @param {string} words @param {string} [scope] */
const cell = (tag, words, scope = "col") => box(tag, tag === "td" ? "num" : { scope }, words);
