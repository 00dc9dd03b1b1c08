/**
 * The analysis: verdict, moments, figures, and the chances to win in the timeline. Everything comes
 * in one response.
 * @typedef {import("api").CurvePoint} Point
 * @typedef {import("api").MatchMoment} Moment
 * @typedef {import("api").TableCell} Cell
 * @typedef {Partial<import("api").MatchReport & import("api").LiveCurve> & {curve: Point[]}} Report
 *   of a finished match, or of one so far
 * @import { Below, Page } from "../replay/page.js"
 */

import { ResultsHidden, workedOutAt } from "../../games/dom/asking.js";
import { box, bringIntoView, byId, styled } from "../../games/dom/elements.js";
import { gettext, listed } from "../../games/words/gettext.js";
import { answerAt } from "../jobs/waiting.js";
import { mount as showNext } from "../priorities/next.js";
import { accountOf } from "./account.js";
import { Curve } from "./curve.js";
import { Decisions } from "./decisions.js";
import { Highlights, MomentList, playAddress, playLink, stopBefore } from "./momentlist.js";
import { Judging, OnePlay } from "./oneplay.js";
import { PlayerTable } from "./playertable.js";
import { Races } from "./races.js";
import { ScreenView } from "./screenview.js";
import { factItems, SoFarView } from "./sofar.js";

/**
 * @param {string} words
 * @param {string[]} names of all seats
 * @returns {{text: string, name: boolean}[]}
 */
export function verdictPieces(words, names) {
  const pieces = [];
  const known = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  let rest = words;
  for (;;) {
    const name = known.find((candidate) => rest.startsWith(candidate));
    if (!name) break;
    pieces.push({ text: name, name: true });
    rest = rest.slice(name.length);
    const between = [", ", AND].find((word) => rest.startsWith(word));
    if (!between) break;
    pieces.push({ text: between, name: false });
    rest = rest.slice(between.length);
  }
  return [...pieces, { text: rest, name: false }];
}

/** Between two names. */
const AND = listed(["A", "B"]).slice(1, -1);
const STYLE = new URL("./races.css", import.meta.url).href;
/** How often a live match's chances and story are looked at, if there is news. */
const AGAIN_MS = 700;
const SOON_MS = 4000;
/** The kinds of moments that cards make, as where the server has a page open. */
const PLAYED = ["take", "play", "tie", "missed_take", "feed", "race"];
const POINTS = "points";
/** The tabs that a first look does not need. */
const DETAILED = ["players", "races", "decisions"];
const ESTIMATES = gettext(
  "The chance to win is an estimate by a model that learned from matches between bots. With bots of other kinds it was about 15 percentage points off. People may play differently.",
);

/** The sentence at the page's head. @param {string} words @param {string[]} names */
function tell(words, names) {
  const place = document.getElementById("verdict")?.querySelector(".verdict-words");
  if (!(place instanceof HTMLElement) || !words || place.title === words) return;
  const pieces = verdictPieces(words, names);
  place.replaceChildren(
    ...pieces.map(({ text, name }) => (name ? box("bdi", "verdict-name cut", text) : text)),
  );
  place.title = words;
}

/**
 * Fills the tabs below the table, each when it is first chosen.
 * @param {Page} page
 * @param {{name: Below, nodes: () => Node[]}[]} views
 */
function fill(page, views) {
  const look = () => {
    for (const { name, nodes } of views) {
      const panel = byId(`panel-${name}`);
      if (name === page.state.below && !panel.firstChild) panel.append(...nodes());
    }
  };
  for (const { name } of views) {
    byId(`tab-${name}`).hidden = false;
    byId(`panel-${name}`).replaceChildren();
  }
  page.onChange(["below"], look);
  look();
}

/**
 * The figures of the players, and of their actions: below the table.
 * @param {HTMLElement} panel @param {Page} page @param {Report} report
 */
function figures(panel, page, report) {
  const { player, names } = page;
  const rows = report.players ?? [];
  const races = new Races(player, report.races ?? [], names);
  const { missed_takes = [], judgements = [] } = report;
  const logged = { missed_takes, judgements };
  const takes = new Decisions(player, names, logged, panel.dataset);
  const open = (/** @type {Below} */ below) => {
    page.set({ below });
    const panel = byId(`panel-${below}`);
    panel.closest("details")?.setAttribute("open", ""); // a lesson folds them away
    bringIntoView(panel);
  };
  /** @type {import("./races.js").Show} */
  const show = {
    race: (/** @type {number} */ seq) => races.at(seq),
    open: (/** @type {import("./raceaxis.js").Race} */ race) => {
      open("races");
      races.open(race);
    },
    lost: (/** @type {number} */ seat, /** @type {string} */ kind) => {
      open("races");
      races.only(seat, kind);
    },
    missed: (/** @type {number} */ seat) => {
      open("decisions");
      takes.only(seat);
    },
  };
  const table = new PlayerTable(player, names, show);
  table.show(rows);
  fill(page, [
    { name: "players", nodes: () => [table.element] },
    { name: "races", nodes: () => [races.element] },
    {
      name: "decisions",
      nodes: () => {
        takes.look();
        return [takes.element];
      },
    },
  ]);
  const judging = new Judging(panel.dataset.try ?? "", names);
  const screens = new ScreenView(page, panel.dataset.url ?? "", report.ways_ms ?? []);
  races.offers = (race) => judging.ofRace(race, player);
  races.screen = (race) => screens.buttons(race);
  const ghosts = panel.dataset.race;
  races.action = (race) => {
    const { events } = player.log.rounds[race.round - 1];
    const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
    return ghosts ? playLink(playAddress(ghosts, race, events), names[seat]) : null;
  };
  offerOnePlay(page, judging, judgements);
  return show;
}

/**
 * The play at the cursor, in the tab where other moves are tried.
 * @param {Page} page @param {Judging} judging
 * @param {import("./oneplay.js").Judgement[]} judgements
 */
function offerOnePlay(page, judging, judgements) {
  const place = document.getElementById("one-play");
  if (!place) return;
  const play = new OnePlay(page, judging, judgements);
  place.replaceChildren(play.element);
  const look = () => {
    place.hidden = page.state.line !== null; // a what-if has no plays to change
    if (page.state.tab !== "what-if") return;
    stopBefore(page.player);
    play.show();
  };
  page.onChange(["tab", "line"], look);
  look();
}

/**
 * @param {HTMLElement} panel @param {Page} page @param {Report} report @param {MomentList} moments
 */
function mattered(panel, page, report, moments) {
  const { player } = page;
  const [, ...others] = report.facts ?? [];
  const highlights = new Highlights(player, report.moments ?? []);
  page.command("momentBack", () => moments.step(-1));
  page.command("momentOn", () => moments.step(1));
  page.command("highlights", () => highlights.toggle());
  return [
    moments.element,
    highlights.button,
    ...next(panel), // it comes later, and moves nothing above
    box("ul", "analysis-facts", ...factItems(player, others, report.stall)),
    box("p", "analysis-note", ESTIMATES),
  ];
}

/** What who played may try next. @param {HTMLElement} panel */
function next({ dataset: { next: url } }) {
  if (!url) return [];
  const place = box("section", "next-things");
  place.setAttribute("aria-label", gettext("What to try next"));
  place.dataset.url = url;
  place.hidden = true;
  showNext(place);
  return [place];
}

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  styled(STYLE);
  const curve = new Curve(page);
  try {
    const report = await early(panel);
    if (report.live) follow(panel, page, curve, report);
    else show(panel, page, curve, report);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    curve.outlook.show(null);
    for (const place of [panel, ...[POINTS, ...DETAILED].map((tab) => byId(`panel-${tab}`))])
      place.replaceChildren(box("p", "analysis-note", gettext("No analysis: {words}.", { words })));
  }
}

/** What a first look needs. @param {HTMLElement} panel @returns {Promise<Report>} */
const early = (panel) =>
  answerAt(`${panel.dataset.url}?details=no`, panel, gettext("Analysing this match"));

/** Where the page would have opened: if that is known soon, from the deal. @param {Page} page @param {Moment[]} moments */
export function openLate({ player, placed }, moments) {
  const { round, event } = player.cursor;
  const moved = placed || round > 1 || event > 0 || player.playing;
  const first = moments.find(({ kind }) => PLAYED.includes(kind));
  if (first && !moved && player.log.match.opening === 0 && performance.now() < SOON_MS)
    player.goBefore(first.seq);
}

/** @param {HTMLElement} panel @param {Page} page @param {Curve} curve @param {Report} report */
function show(panel, page, curve, report) {
  const { moments = [], account } = report;
  const { race: url, own } = panel.dataset;
  const seat = own ? Number(own) : null;
  const { own_verdicts = [], winners, facts = [] } = report;
  const mine = seat === null ? "" : own_verdicts[seat];
  const won = seat !== null && winners?.includes(seat);
  tell((won && mine) || (facts[0] ?? ""), curve.names);
  curve.show(report.curve);
  curve.mark(moments);
  const list = new MomentList(page.player, moments, { url, own });
  const lost = mine && !won ? [box("p", "", mine)] : []; // the headline is about who won
  panel.replaceChildren(...lost, ...mattered(panel, page, report, list));
  page.set({ decides: new Set([...page.state.decides, ...moments.map(({ seq }) => seq)]) });
  openLate(page, list.moments);
  byId("tab-points").hidden = true; // unless a round was played to its end
  if (account?.seats.length)
    fill(page, [
      {
        name: "points",
        nodes: () => accountOf(account, winners ?? [], page.player, page.names, seat),
      },
    ]);
  else if (page.state.below === "points") page.set({ below: "players" });
  for (const tab of DETAILED) byId(`tab-${tab}`).hidden = false;
  const detailed = page.used.then(async () => {
    const details = await workedOutAt(`${panel.dataset.url}?details=only`);
    return figures(panel, page, { ...report, ...details });
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
      const why = error instanceof Error ? error.message : String(error);
      const words = gettext("Not shown: {why}. Reload the page.", { why });
      for (const tab of DETAILED)
        byId(`panel-${tab}`).replaceChildren(box("p", "analysis-note", words));
    },
  );
}

/**
 * During a match the curve grows: only new points are requested, only after new events, with the
 * story so far. After the match, everything is shown.
 * @param {HTMLElement} panel @param {Page} page @param {Curve} curve @param {Report} begun
 */
function follow(panel, page, curve, begun) {
  const { log } = page.player;
  const story = new SoFarView(page);
  curve.show(begun.curve);
  panel.replaceChildren(...story.elements);
  byId("panel-players").replaceChildren(...story.figures);
  let over = false;
  let asked = 0;
  const look = async () => {
    const news = asked < log.next || story.seq + 1 < log.next;
    if (document.hidden || !(news || log.finished)) return null;
    asked = log.next;
    const url = `${panel.dataset.url}?after=${curve.curve.length}&so_far=yes`;
    const report = await workedOutAt(url).catch((error) => {
      over = error instanceof ResultsHidden;
      return null;
    });
    if (report?.live) curve.show([...curve.curve, ...report.curve]);
    if (report?.so_far) {
      story.show(report.so_far);
      tell(story.headline, curve.names);
      curve.mark(story.list.moments);
    }
    return report && !report.live ? early(panel).catch(() => null) : null;
  };
  const again = async () => {
    const all = await look();
    if (all) return show(panel, page, curve, all);
    if (!over) setTimeout(again, AGAIN_MS);
  };
  again();
}
