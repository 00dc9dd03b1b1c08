/**
 * The analysis: verdict, moments, points, and the chances to win in the timeline. Everything comes
 * in one response; the details (`details.js`) come when the page is used.
 * @typedef {import("api").CurvePoint} Point
 * @typedef {import("api").MatchMoment} Moment
 * @typedef {Partial<import("api").MatchReport & import("api").LiveCurve> & {curve: Point[]}} Report
 *   of a finished match, or of one so far
 * @typedef {import("api").StallJson} Stall
 * @import { Below, Page } from "../replay/page.js"
 */

import { reasonOf, workedOutAt } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { answerAt } from "../jobs/waiting.js";
import { Curve } from "./curve.js";
import { Highlights, MomentList, watch } from "./momentlist.js";
import { sentence } from "./sentence.js";

const SOON_MS = 4000;
/** @type {Below} */
const POINTS = "points";
/** The tabs that need the details. @type {Below[]} */
const DETAILED = ["players", "races", "decisions"];
const ESTIMATES = gettext(
  "The chance to win is an estimate by a model that learned from matches between bots. With bots of other kinds it was about 15 percentage points off. People may play differently.",
);

/** How long before a stall it is watched, in ms. */
const STALL_MS = 1500;

/** @param {Page} page @param {string[]} facts @param {Stall | null} [stall] */
export function factItems(page, facts, stall) {
  const items = facts.map((fact) => box("li", "", fact));
  if (!stall) return items;
  const see = button("button small", gettext("Watch it"), () => watch(page, stall, STALL_MS));
  return [...items, box("li", "analysis-stall", `${stall.text} `, see)];
}

/** The sentence at the page's head. @param {string} words @param {string[]} names */
export function tell(words, names) {
  const place = document.getElementById("verdict")?.querySelector(".verdict-words");
  if (!(place instanceof HTMLElement) || !words || place.title === words) return;
  place.replaceChildren(...sentence(words, names));
  place.title = words;
}

/**
 * Fills tabs below the table, each when it is first chosen.
 * @param {Page} page
 * @param {{name: Below, nodes: () => Node[]}[]} views
 */
export function fill(page, views) {
  const left = new Set(views);
  const look = () => {
    for (const view of left) {
      if (view.name !== page.state.below) continue;
      left.delete(view);
      page.call("fillTab", view.name, view.nodes());
    }
  };
  for (const { name } of views) {
    page.call("showTab", name, true);
    page.call("fillTab", name, []);
  }
  page.onChange(["below"], look);
  look();
}

/**
 * @param {Page} page @param {Report} report @param {MomentList} moments
 */
function mattered(page, report, moments) {
  const [, ...others] = report.facts ?? [];
  const highlights = new Highlights(page, report.moments ?? []);
  page.command("momentBack", () => moments.step(-1));
  page.command("momentOn", () => moments.step(1));
  page.command("highlights", () => highlights.toggle());
  return [
    moments.element,
    highlights.button,
    box("ul", "analysis-facts soft", ...factItems(page, others, report.stall)),
    box("p", "analysis-note soft small", ESTIMATES),
  ];
}

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  const curve = new Curve(page);
  try {
    const report = await early(panel);
    if (report.live) (await import("./sofar.js")).follow(panel, page, curve, report);
    else show(panel, page, curve, report);
  } catch (error) {
    const detail = reasonOf(error);
    curve.outlook.show(null);
    const note = () =>
      box("p", "analysis-note soft small", gettext("No analysis. {detail}", { detail }));
    panel.replaceChildren(note());
    for (const tab of [POINTS, ...DETAILED]) page.call("fillTab", tab, [note()]);
  }
}

/** What a first look needs. @param {HTMLElement} panel @returns {Promise<Report>} */
export const early = (panel) =>
  answerAt(`${panel.dataset.url}?details=no`, panel, gettext("Analysing this match"));

/** Where the page would have opened, if that is known soon. @param {Page} page @param {number} [seq] of the report's `opening` */
export function openLate({ player, opened, placed, state }, seq) {
  const moved = placed || player.cursor.seq !== opened || player.playing || state.tab === "notes";
  if (seq && !moved && player.log.match.opening === 0 && performance.now() < SOON_MS)
    player.goBefore(seq);
}

/** @param {HTMLElement} panel @param {Page} page @param {Curve} curve @param {Report} report */
export function show(panel, page, curve, report) {
  const { moments = [], account } = report;
  const { race: url, own } = panel.dataset;
  const seat = own ? Number(own) : null;
  const reader = document.getElementById("verdict")?.dataset.own ?? -1;
  tell(report.own_verdicts?.[Number(reader)] || report.facts?.[0] || "", curve.names);
  curve.show(report.curve);
  curve.mark(moments);
  const list = new MomentList(page, moments, { url, own });
  panel.replaceChildren(...mattered(page, report, list));
  page.set({ decides: new Set([...page.state.decides, ...moments.map(({ seq }) => seq)]) });
  openLate(page, report.opening);
  // No points unless a round was played to its end.
  page.call("showTab", POINTS, Boolean(account?.seats.length));
  if (!account?.seats.length && page.state.below === POINTS) page.set({ below: "players" });
  for (const tab of DETAILED) page.call("showTab", tab, true);
  // An address that leads to a tab with details is like a press.
  if (DETAILED.includes(page.state.below) || page.state.tab === "what-if") page.use();
  let waiting = [POINTS, ...DETAILED];
  const detailed = page.used.then(async () => {
    const details = workedOutAt(`${panel.dataset.url}?details=only`);
    const { figures, points } = await import("./details.js");
    if (account?.seats.length) points(page, account, seat);
    waiting = DETAILED;
    return figures(panel, page, { ...report, ...(await details) });
  });
  document.documentElement.dataset.races = "";
  page.offer("openRace", async (seq) => {
    const shown = await detailed;
    const race = shown.race(seq);
    if (race) shown.open(race);
  });
  detailed.then(
    (shown) => list.offer(shown),
    (error) => {
      const detail = reasonOf(error);
      const words = gettext("Not shown. {detail} Reload the page.", { detail });
      for (const tab of waiting)
        page.call("fillTab", tab, [box("p", "analysis-note soft small", words)]);
    },
  );
}
