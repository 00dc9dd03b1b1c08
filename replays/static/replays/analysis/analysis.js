/**
 * What mattered: the verdict, the moments, the figures; and the curve of chances to win in the
 * timeline. Everything comes in one response.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").CurvePoint} Point
 * @typedef {import("api").MatchMoment} Moment
 * @typedef {import("api").TableCell} Cell
 * @typedef {Partial<import("api").MatchReport & import("api").LiveCurve> & {curve: Point[]}} Report
 *   of a finished match, or of one so far
 * @import { Page } from "../replay/page.js"
 * @typedef {{name: string, label: string, make: () => Node[], shown?: () => void, left?: () => void}} SubView
 *   `shown`, `left`: called whenever it is chosen, or another one
 */

import { ResultsHidden, workedOutAt } from "../../games/dom/asking.js";
import { group } from "../../games/dom/controls.js";
import { box, button, byId } from "../../games/dom/elements.js";
import { styled } from "../../games/dom/styled.js";
import { answerAt } from "../jobs/waiting.js";
import { mount as showNext } from "../priorities/next.js";
import { CardLife } from "./cardlife.js";
import { Curve } from "./curve.js";
import { Decisions } from "./decisions.js";
import { HandLanes } from "./handlanes.js";
import { headline, pointsNow } from "./headline.js";
import { Highlights } from "./highlights.js";
import { lessonList } from "./judged.js";
import { Judging } from "./judging.js";
import { MissedTakes } from "./missedtakes.js";
import { MomentList, playAddress, playLink } from "./momentlist.js";
import { OnePlay } from "./oneplay.js";
import { PlayerTable } from "./playertable.js";
import { pointParts } from "./pointparts.js";
import { Races } from "./races.js";
import { RoundData } from "./rounddata.js";
import { ScreenView } from "./screenview.js";
import { factItems, SoFarView } from "./sofar.js";
import { TempoView } from "./tempoview.js";

export class SubViews {
  /** @param {SubView[]} views */
  constructor(views) {
    this.views = views;
    this.panes = new Map(views.map(({ name }) => [name, box("div", "subview")]));
    this.buttons = new Map(views.map((view) => [view.name, this.#button(view)]));
    this.bar = group("What the analysis shows", "subviews row", ...this.buttons.values());
    this.chosen = "";
    this.choose(views[0].name);
  }

  get elements() {
    return [this.bar, ...this.panes.values()];
  }

  /** @param {SubView} view */
  #button({ name, label }) {
    return button("event-filter soft small bare", label, () => this.choose(name));
  }

  /** @param {string} name */
  choose(name) {
    this.chosen = name;
    for (const view of this.views) {
      const on = view.name === name;
      const pane = this.panes.get(view.name);
      if (pane && on && !pane.firstChild) pane.append(...view.make());
      pane?.toggleAttribute("hidden", !on);
      this.buttons.get(view.name)?.setAttribute("aria-pressed", String(on));
      if (on) view.shown?.();
      else view.left?.();
    }
  }
}

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
    const between = /^(?:, | and )/.exec(rest)?.[0] ?? "";
    if (!between) break;
    pieces.push({ text: between, name: false });
    rest = rest.slice(between.length);
  }
  return [...pieces, { text: rest, name: false }];
}

const STYLE = new URL("./figures.css", import.meta.url).href;
const AGAIN_MS = 4000;
/** During a match a star marks a take that changed a chance by so much. */
const MARKED = 0.1;
const ESTIMATES =
  "The chance to win is an estimate by a model that learned from matches between bots. People may play differently.";

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
 * The figures of the players, and of what they did: a tab of their own.
 * @param {HTMLElement} panel @param {Page} page @param {Report} report @param {Curve} curve
 */
function figures(panel, page, report, curve) {
  const { player } = page;
  const { names } = curve;
  const rows = report.players ?? [];
  const rounds = new RoundData(panel.dataset.url ?? "");
  const lanes = new HandLanes(player, rounds, names);
  const cards = new CardLife(player, rounds, names, report.feeding ?? []);
  const races = new Races(player, report.races ?? [], names);
  const takes = new MissedTakes(player, report.missed_takes ?? [], names);
  const open = (/** @type {string} */ name) => {
    page.set({ tab: "figures" });
    views.choose(name);
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
      open("missed");
      takes.only(seat);
    },
  };
  const table = new PlayerTable(player, names, show);
  table.show(rows);
  const views = new SubViews([
    {
      name: "players",
      label: "Players",
      make: () => [
        table.element,
        ...pointParts(report.points ?? [], names),
        new TempoView(report.tempo ?? [], names).element,
        curve.numbers(),
      ],
    },
    { name: "decisions", label: "Decisions", make: () => decided(panel, player, report, names) },
    {
      name: "missed",
      label: "Missed takes",
      make: () => [takes.element, lanes.element],
      shown: () => lanes.show(),
    },
    { name: "races", label: "Races", make: () => [races.element] },
    {
      name: "cards",
      label: "Cards",
      make: () => [cards.element],
      shown: () => cards.show(),
      left: () => cards.point(),
    },
  ]);
  const judging = new Judging(panel.dataset.try ?? "", names);
  const screens = new ScreenView(page, rounds, report.ways_ms ?? []);
  races.offers = (race) => judging.ofRace(race, player);
  races.screen = (race) => screens.buttons(race);
  const ghosts = panel.dataset.race;
  races.action = (race) => {
    const { events } = player.log.rounds[race.round - 1];
    const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
    return ghosts ? playLink(playAddress(ghosts, race, events), names[seat]) : null;
  };
  document.documentElement.dataset.races = "";
  page.offer("openRace", (seq) => {
    const race = races.at(seq);
    if (race) show.open(race);
  });
  byId("panel-figures").replaceChildren(...views.elements);
  offerOnePlay(page, judging, report.judgements ?? []);
  return show;
}

/**
 * The play at the cursor, in the tab where other moves are tried.
 * @param {Page} page @param {Judging} judging
 * @param {import("./judged.js").Judgement[]} judgements
 */
function offerOnePlay(page, judging, judgements) {
  const place = document.getElementById("one-play");
  if (!place) return;
  const play = new OnePlay(page.player, page.names, judging, judgements);
  place.replaceChildren(play.element);
  place.hidden = false;
  page.onChange(["tab"], ({ tab }) => tab === "what-if" && play.show());
}

/**
 * @param {HTMLElement} panel @param {Player} player @param {Report} report @param {string[]} names
 */
function decided(panel, player, report, names) {
  const decisions = new Decisions(player, names, panel.dataset);
  decisions.look();
  return [decisions.element, ...lessonList(player, report.lessons ?? [], names, panel.dataset.own)];
}

/**
 * @param {HTMLElement} panel @param {Page} page @param {Report} report
 * @param {import("./races.js").Show} show
 */
function mattered(panel, page, report, show) {
  const { player } = page;
  const [, ...others] = report.facts ?? [];
  const moments = new MomentList(player, report.moments ?? [], show, {
    url: panel.dataset.race,
    own: panel.dataset.own,
  });
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
  place.setAttribute("aria-label", "What to try next");
  place.dataset.url = url;
  place.hidden = true;
  showNext(place);
  return [place];
}

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  styled(STYLE);
  const names = page.player.log.match.seats.map((seat) => seat.name);
  const curve = new Curve(page.scrubber, page.player, names);
  try {
    const report = await whole(panel);
    if (report.live) follow(panel, page, curve, report);
    else show(panel, page, curve, report);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    panel.replaceChildren(box("p", "analysis-note", `No analysis: ${words}.`));
  }
}

/** @param {HTMLElement} panel @returns {Promise<Report>} */
const whole = (panel) => answerAt(panel.dataset.url ?? "", panel, "Analysing this match");

/** @param {HTMLElement} panel @param {Page} page @param {Curve} curve @param {Report} report */
function show(panel, page, curve, report) {
  tell(report.facts?.[0] ?? "", curve.names);
  curve.show(report.curve);
  curve.mark(report.moments ?? []);
  panel.replaceChildren(...mattered(panel, page, report, figures(panel, page, report, curve)));
}

/**
 * During a match the curve grows: only what is new is asked for, and only if something happened; the
 * story so far comes with it. The points in the headline are the table's. When the match is over, everything is shown.
 * @param {HTMLElement} panel @param {Page} page @param {Curve} curve @param {Report} begun
 */
function follow(panel, page, curve, begun) {
  const { log } = page.player;
  const story = new SoFarView(page, curve);
  curve.show(begun.curve);
  panel.replaceChildren(...story.elements);
  byId("panel-figures").replaceChildren(...story.figures);
  let over = false;
  /** @type {import("./headline.js").Lead | null} */
  let lead = null;
  const tellNow = () => {
    if (!log.finished) tell(headline(curve.names, pointsNow(log), lead), curve.names);
  };
  log.onGrow(tellNow);
  tellNow();
  const look = async () => {
    if (document.hidden || !(story.seq + 1 < log.next || log.finished)) return null;
    const url = `${panel.dataset.url}?after=${curve.curve.length}&so_far=yes`;
    const report = await workedOutAt(url).catch((error) => {
      over = error instanceof ResultsHidden;
      return null;
    });
    if (report?.live) curve.show([...curve.curve, ...report.curve]);
    if (report?.so_far) {
      /** @type {import("./sofar.js").SoFar} */
      const { ticker } = report.so_far;
      lead = report.so_far.lead;
      story.show(report.so_far);
      tellNow();
      curve.mark(ticker.filter(({ delta }) => Math.abs(delta) >= MARKED));
    }
    return report && !report.live ? whole(panel).catch(() => null) : null;
  };
  const again = async () => {
    const all = await look();
    if (all) return show(panel, page, curve, all);
    if (!over) setTimeout(again, AGAIN_MS);
  };
  again();
}
