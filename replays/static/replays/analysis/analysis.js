// @ts-check
/**
 * The tab with what mattered: the result, the moments, the players, the races; and the strip of
 * win probabilities under the timeline. Everything comes in one response.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{seq: number, round: number, t: number, p: number[]}} Point
 * @typedef {{seq: number, round: number, t: number, kind: string, seats: number[], delta: number,
 *   text: string}} Moment
 * @typedef {{value: number | null, seqs: number[]}} Cell
 * @typedef {{curve: Point[], moments?: Moment[], facts?: string[],
 *   stall?: import("./factlist.js").Stall | null, winners?: number[] | null,
 *   totals?: number[], players?: import("./playertable.js").Row[],
 *   races?: import("./raceaxis.js").Race[], left_out?: Record<string, number>,
 *   missed_takes?: import("./missedtakes.js").MissedTake[],
 *   judgements?: import("./judged.js").Judgement[],
 *   lessons?: import("./judged.js").Judgement[], luck?: import("./judged.js").Luck[],
 *   tempo?: import("./tempoview.js").RoundTempo[],
 *   feeding?: import("./cardlife.js").Feeding[],
 *   live?: boolean, so_far?: import("./sofar.js").SoFar}} Report
 * @typedef {{player: Player, commands: Record<string, () => void>, placed: boolean}} Page
 *   `placed`: the URL names a place, so the viewer came for that
 */

import { ResultsHidden, workedOutAt } from "../../games/dom/asking.js";
import { box, byId } from "../../games/dom/elements.js";
import { answerAt } from "../jobs/waiting.js";
import { CardLife } from "./cardlife.js";
import { ChanceStrip } from "./chancestrip.js";
import { factItems } from "./factlist.js";
import { HandLanes } from "./handlanes.js";
import { Highlights } from "./highlights.js";
import { judgedPlays, lessonsOf, luckList } from "./judged.js";
import { MissedTakes, missedCount } from "./missedtakes.js";
import { MomentList } from "./momentlist.js";
import { OnePlay } from "./oneplay.js";
import { PlayerTable } from "./playertable.js";
import { playAddress, playLink } from "./playit.js";
import { Races } from "./races.js";
import { raceTrials } from "./racetrials.js";
import { RoundData } from "./rounddata.js";
import { SoFarView } from "./sofar.js";
import { SubViews } from "./subviews.js";
import { TempoView } from "./tempoview.js";
import { Trials } from "./trials.js";

const AGAIN_MS = 4000;

/**
 * @param {HTMLElement} panel
 * @param {Page} page
 * @param {Report} report
 * @param {string[]} names
 */
function sections(panel, page, report, names) {
  const { player } = page;
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const csrf = token instanceof HTMLInputElement ? token.value : "";
  const trials = new Trials(panel.dataset.trial ?? "", csrf, names);
  const play = new OnePlay(player, names, trials, report.judgements ?? []);
  const rounds = new RoundData(panel.dataset.url ?? "");
  const lanes = new HandLanes(player, rounds, names);
  const cards = new CardLife(player, rounds, names, report.feeding ?? []);
  const races = new Races(player, report.races ?? [], names, report.left_out?.races ?? 0);
  /** @type {import("./races.js").Show} */
  const show = {
    race: (/** @type {number} */ seq) => races.at(seq),
    open: (/** @type {import("./raceaxis.js").Race} */ race) => {
      views.choose("races");
      races.open(race);
    },
    lost: (/** @type {number} */ seat, /** @type {string} */ kind) => {
      views.choose("races");
      races.only(seat, kind);
    },
  };
  const views = new SubViews([
    { name: "overview", label: "Overview", make: () => overview(page, report, names, show) },
    { name: "races", label: `Races (${races.races.length})`, make: () => [races.element] },
    {
      name: "chances",
      label: "Chances",
      make: () => [lanes.element],
      shown: () => lanes.show(),
    },
    {
      name: "cards",
      label: "Cards",
      make: () => [cards.element],
      shown: () => cards.show(),
      left: () => cards.point(),
    },
    {
      name: "tempo",
      label: "Tempo",
      make: () => [new TempoView(report.tempo ?? [], names).element],
    },
    {
      name: "play",
      label: "One play",
      make: () => [play.element],
      shown: () => play.show(),
    },
  ]);
  races.offers = (race) => raceTrials(race, trials, player);
  const ghosts = panel.dataset.race;
  races.action = (race) => {
    const { events } = player.log.rounds[race.round - 1];
    const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
    return ghosts ? playLink(playAddress(ghosts, race, events), names[seat]) : null;
  };
  document.documentElement.dataset.races = "";
  document.addEventListener("show-race", (event) => {
    const race = races.at(/** @type {CustomEvent} */ (event).detail.seq);
    if (!race) return;
    byId("tab-analysis").click();
    show.open(race);
  });
  return views.elements;
}

/**
 * @param {Page} page
 * @param {Report} report
 * @param {string[]} names
 * @param {import("./races.js").Show} show
 */
function overview(page, report, names, show) {
  const { player } = page;
  const panel = byId("panel-analysis");
  const [result, ...others] = report.facts ?? [];
  const moments = new MomentList(player, report.moments ?? [], show);
  const highlights = new Highlights(player, report.moments ?? []);
  const missed = report.missed_takes ?? [];
  const rows = report.players ?? [];
  const takes = new MissedTakes(player, missed, names, report.left_out?.missed_takes ?? 0, rows);
  const judged = { judgements: report.judgements ?? [], lessons: report.lessons ?? [] };
  const missedBy = (/** @type {number} */ seat) =>
    missedCount(rows.filter((row) => row.seat === seat));
  const table = new PlayerTable(player, names, { ...show, missed: (seat) => takes.only(seat) });
  table.show(rows);
  page.commands.momentBack = () => moments.step(-1);
  page.commands.momentOn = () => moments.step(1);
  page.commands.highlights = () => highlights.toggle();
  const head = box("h2", "analysis-result", result ?? "");
  const facts = box("ul", "analysis-facts", ...factItems(player, others, report.stall));
  return [
    head,
    facts,
    ...lessonsOf(judged, missedBy, panel, (seat) => takes.only(seat)),
    box("h3", "analysis-title", "What mattered"),
    highlights.button,
    moments.element,
    box("h3", "analysis-title", "The players"),
    table.element,
    ...(missed.length ? [takes.element] : []),
    ...judgedPlays(player, judged, names, panel.dataset.own),
    ...(report.luck?.length ? [box("h3", "analysis-title", "Luck of the draw")] : []),
    ...(report.luck?.length ? luckList(player, report.luck, names) : []),
    box(
      "p",
      "analysis-note",
      "Win probabilities are estimates by a model trained on matches between bots; people may play differently.",
    ),
  ];
}

/** Opens the tab, unless the viewer came for a place or has chosen another tab. @param {Page} page */
function openFirst(page) {
  const untouched = byId("tab-events").getAttribute("aria-selected") === "true";
  if (!page.placed && untouched) byId("tab-analysis").click();
}

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  const names = page.player.log.match.seats.map((seat) => seat.name);
  try {
    const report = await whole(panel);
    const strip = new ChanceStrip(byId("chances"), page.player, names);
    if (report.live) follow(panel, page, strip, report);
    else {
      show(panel, page, strip, report);
      openFirst(page);
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    panel.replaceChildren(box("p", "analysis-note", `No analysis: ${words}.`));
  }
}

/** @param {HTMLElement} panel @returns {Promise<Report>} */
const whole = (panel) => answerAt(panel.dataset.url ?? "", panel, "Analysing this match");

/**
 * @param {HTMLElement} panel
 * @param {Page} page
 * @param {ChanceStrip} strip
 * @param {Report} report
 */
function show(panel, page, strip, report) {
  strip.show(report.curve);
  strip.mark(report.moments ?? []);
  panel.replaceChildren(...sections(panel, page, report, strip.names));
}

/**
 * During a match the strip grows: only what is new is asked for, and only if something happened.
 * The story so far comes with it while the tab is open. When the match is over, everything is shown.
 * @param {HTMLElement} panel
 * @param {Page} page
 * @param {ChanceStrip} strip
 * @param {Report} begun
 */
function follow(panel, page, strip, begun) {
  const { log } = page.player;
  const story = new SoFarView(page, strip.names);
  strip.show(begun.curve);
  let known = log.next;
  let asking = false;
  let over = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const look = async () => {
    const open = !panel.hidden && story.seq + 1 < log.next;
    if (document.hidden || !(open || log.next !== known || log.finished)) return;
    known = log.next;
    const { curve } = strip;
    const so_far = open ? "&so_far=yes" : "";
    const url = `${panel.dataset.url}?after=${curve.length}${so_far}`;
    const report = await workedOutAt(url).catch((error) => {
      over = error instanceof ResultsHidden;
      return null;
    });
    if (report?.live) strip.show([...curve, ...report.curve]);
    if (report?.so_far) {
      if (!story.seq) panel.replaceChildren(...story.elements);
      story.show(report.so_far);
      strip.mark(report.so_far.moments);
    }
    return report && !report.live ? whole(panel).catch(() => null) : null;
  };
  const again = async () => {
    clearTimeout(timer);
    asking = true;
    const all = await look();
    asking = false;
    if (all) return show(panel, page, strip, all);
    if (over) return;
    timer = setTimeout(again, AGAIN_MS);
  };
  byId("tab-analysis").addEventListener("click", () => {
    if (!asking && !over) setTimeout(again); // once the tab is shown
  });
  timer = setTimeout(again, AGAIN_MS);
}
