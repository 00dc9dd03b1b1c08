/**
 * The replay page: reads the server's data, sets up the table, connects the parts.
 *
 * A match in progress opens here too: its log just keeps growing.
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { victory } from "../../games/board/choreography.js";
import { announce, box, byId } from "../../games/dom/elements.js";
import { load, save, showMotion } from "../../games/dom/settings.js";
import { Sounds } from "../../games/dom/sounds.js";
import { lineAt } from "../../games/match/caption.js";
import { unpackRound } from "../../games/match/columns.js";
import { addressShown, alongOf, openAt, placeOf, spanOf, viewOf } from "../../games/match/links.js";
import { Log } from "../../games/match/log.js";
import { Player } from "../../games/match/player.js";
import { outcome, spokenNames } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { AddressBar } from "./addressbar.js";
import { aimWith } from "./aim.js";
import {
  bindControls,
  bindSwitches,
  bindTabs,
  bindViews,
  firstBelow,
  firstTab,
  offerBelow,
  TableBeside,
  tabNamed,
} from "./controls.js";
import { EventList } from "./events.js";
import { CHOICES, mountAll, Page, playSpan, whenChosen, whenIdle } from "./page.js";
import { retryingJson } from "./retry.js";
import { Scrubber } from "./scrubber.js";
import { bindCommands, listen } from "./shortcuts.js";
import { typedAhead } from "./typedahead.js";

/** An unfinished log is polled after this many ms, and less and less often while nothing comes. */
const ASK_FIRST = 2000;
const ASK_LAST = 30000;

const MISSING = gettext("This part could not be loaded. Reload the page.");

/** @param {string} id */
const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

class Replay {
  constructor() {
    const match = json("match");
    const query = new URLSearchParams(location.search);
    this.log = new Log(match, { unpack: unpackRound, fetchJson: retryingJson });
    this.player = new Player(this.log, (step) => requestAnimationFrame(step));
    this.place = placeOf(query);
    this.span = spanOf(query);
    this.settings = load();
    this.sounds = new Sounds(() => this.settings.sound);
    this.first = json("first-round");
    /** @type {import("../../games/live/source.js").LiveSource | null} */
    this.feed = null;
    this.page = this.#makePage(query);
    this.spoken = spokenNames(this.page.names);
    this.page.onScene(["view", "screen", "decides", "line"], () => this.draw());
    this.events = new EventList(byId("events"), this.page, byId("voice"));
    this.address = new AddressBar(this.player, () => {
      const { view, line } = this.page.state;
      return this.page.addressed(addressShown(this.player, view, line));
    });
  }

  /** @param {URLSearchParams} query */
  #makePage(query) {
    const { log, player } = this;
    const { seats, rules: goal } = log.match;
    const along = alongOf(query);
    const placed = this.place !== null || along !== null;
    return new Page(
      {
        player,
        board: new Board(byId("table"), seats, { goal }),
        names: seats.map(({ name }) => name),
        scrubber: new Scrubber(byId("scrubber"), player),
        placed,
        along,
      },
      {
        view: viewOf(query, seats.length),
        tab: tabNamed(query.get("tab")) ?? firstTab(byId("tabs"), placed, log.match.opening),
        below: query.has("chart") ? "charts" : (tabNamed(query.get("below")) ?? firstBelow()),
        chart: query.get("chart") ?? "",
        of: query.get("of") === "match" ? "match" : "",
        only: seats[Number(query.get("only") ?? -1)] ? Number(query.get("only")) : null,
        race: Number(query.get("race")) || null,
        events: query.get("events") ?? "",
      },
      [...query.keys()],
    );
  }

  /** A press that may lead to another page is no use of this one. @param {Event} event */
  #use = ({ target }) => {
    if (!(target instanceof Element && target.closest("form, a"))) this.page.use();
  };

  async open() {
    this.#bind();
    if (this.first) this.log.append(this.first);
    const decides = await openAt(this.player, this.place);
    this.page.opened = this.player.cursor.seq;
    this.page.set({ decides: new Set([decides]) });
    for (const kind of ["pointerdown", "keydown", "click"])
      addEventListener(kind, this.#use, { capture: true, passive: true });
    await this.log.loadAll();
    await this.#feed();
    this.#watch();
  }

  /** A match in progress reports by itself. Its module is fetched only then. */
  async #feed() {
    const live = json("live");
    if (!live) return;
    const { spectate } = await import("./spectating.js");
    this.feed = spectate(live, this.page);
  }

  #bind() {
    const { page } = this;
    const help = /** @type {HTMLDialogElement} */ (byId("help"));
    bindCommands(page);
    if (this.span) playSpan(page, this.span);
    page.command("help", () => {
      if (document.activeElement === document.body) byId("main").focus({ preventScroll: true });
      help.showModal();
    });
    bindViews(page);
    bindControls(page);
    showMotion(this.settings);
    bindSwitches(this.settings);
    bindTabs(page, byId("tabs"), "tab");
    const below = document.getElementById("below-tabs");
    if (below?.parentElement) {
      bindTabs(page, below, "below");
      offerBelow(page, below.parentElement);
      new TableBeside(page, below.parentElement);
    }
    this.events.offer(/** @type {HTMLSelectElement} */ (byId("event-filter")));
    listen(page);
    aimWith(page);
    page.offer("say", (words) => announce(byId("voice"), words));
    page.onChange(["view", "line", ...CHOICES], () => this.address.update());
    this.player.onState(() =>
      byId("table").setAttribute("aria-busy", String(this.player.waiting > 0)),
    );
  }

  draw() {
    const { round, cursor } = this.player;
    const { board, state } = this.page;
    const screen = state.screen?.();
    const shown = board.showPlace(this.player, state.view, screen?.event);
    if (!round || !shown) return;
    Object.assign(byId("table").dataset, { round: cursor.round, event: cursor.event });
    const { applied } = shown;
    const { winners } = shown.standing;
    this.#tell(winners, screen?.words);
    for (const event of applied) this.sounds.hear(event);
    if (!winners?.length || !applied.some((event) => event.do === "end")) return;
    victory(board, winners);
    this.sounds.sound("victory");
  }

  /**
   * @param {number[] | null} winners of a match that is over here
   * @param {string} [screen] the events missing on a seat's screen, instead of the last one
   */
  #tell(winners, screen) {
    const { state, aim } = this.page;
    const { kind, seat, text } = lineAt(this.player, this.spoken, state.view, aim !== null);
    const now = byId("now");
    const over = winners && !aim ? ` ${outcome(winners, this.spoken)}` : "";
    const words = screen ?? text + over;
    if (now.dataset.words === words) return;
    now.dataset.words = words;
    now.className = `now line middle unbound breaks text-m is-${screen ? "screen" : kind}`;
    now.replaceChildren(
      ...(seat === null || screen ? [] : [markOf(seat)]),
      box("span", "now-words two-lines", words),
    );
  }

  /** Asks for more while there may be more. A hidden page does not ask. */
  #watch() {
    let wait = ASK_FIRST;
    const ask = async () => {
      if (this.log.finished || this.log.endHidden) return;
      const grew =
        document.hidden || this.feed?.live || this.feed?.open ? false : await this.log.grow();
      wait = grew ? ASK_FIRST : Math.min(wait * 1.5, ASK_LAST);
      setTimeout(ask, wait);
    };
    setTimeout(ask, wait);
  }
}

const replay = new Replay();
replay.open();
addEventListener("pagehide", () => save({ ...load(), piles: false }));

/** Says in the place of a part that it is not there. @param {HTMLElement} part @param {unknown} why */
const missing = (part, why) => {
  reportError(why);
  if (!part.matches("a, dialog, details")) part.append(box("p", "hint", MISSING));
  if (part.matches("section")) part.hidden = false;
};

/** @param {HTMLElement[]} parts */
const mountParts = (parts) =>
  mountAll(
    parts,
    async (part) => {
      const { mount } = await import(part.dataset.module ?? "");
      return () => mount(part, replay.page);
    },
    missing,
  );

const parts = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-module]")]);
/** @type {Promise<void>} */
const mounted = new Promise((done) =>
  whenIdle(() => done(mountParts(parts.filter(({ dataset }) => !dataset.tab)))),
);
replay.page.command("note", () => typedAhead(mounted.then(() => replay.page.call("writeNote"))));
for (const part of parts.filter(({ dataset }) => dataset.tab))
  whenChosen(replay.page, part.dataset.tab ?? "", () => mountParts([part]));
