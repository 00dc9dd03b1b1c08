/**
 * A screen that runs by itself. It asks again and again which live match to show. The next one is
 * prepared behind the present one, which gives way once it is there. Without live matches, the
 * latest days' decisive moments play in turn.
 * @typedef {import("api").Shot} Shot
 * @typedef {import("../../games/match/fold.js").Play} Play
 * @typedef {{match: any, first: any, round: number, event: number, until: number}} PlayedMoment
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { jsonAt, request } from "../../games/dom/asking.js";
import { box, byId, write } from "../../games/dom/elements.js";
import { captionAt, holdOf } from "../../games/match/caption.js";
import { unpackRound } from "../../games/match/columns.js";
import { Log } from "../../games/match/log.js";
import { Loop } from "../../games/match/loop.js";
import { Player } from "../../games/match/player.js";
import { standingAt } from "../../games/match/ranking.js";
import { isTake, victoryWords } from "../../games/match/words.js";
import { MiniBoard } from "../../games/wall/miniboard.js";
import { gettext } from "../../games/words/gettext.js";
import { percents } from "../analysis/percent.js";
import { roundWords, Scrubber } from "../replay/scrubber.js";

const ASK_MS = 2000;
/** How long the end of a match stays. */
const REST_MS = 5000;
/** How often a moment plays before the next one. */
const TIMES = 2;

const { url = "", table: address = "" } = document.body.dataset;
const tables = byId("tv-tables");

/** The timeline of the match on the screen. Only seen: nobody sits at a screen in a café. @param {Player} player */
function drawTimeline(player) {
  const root = box("div", "scrubber");
  byId("tv-timeline").replaceChildren(root);
  new Scrubber(root, player).draw();
}

/**
 * Says what has just happened, or how the match ended, in which round.
 * @param {string[]} names @param {Player} player @param {import("../../games/match/ranking.js").Goal} goal
 * @param {import("../../games/match/fold.js").View} [view]
 */
function tell(names, player, { speedy, target }, view = "spectator") {
  const { log, round, cursor } = player;
  if (!round?.timeline) return;
  const place = roundWords(player);
  const aim = gettext("{round}, to {target} points", { round: place, target });
  write(byId("tv-round"), speedy ? place : aim);
  const { winners } = standingAt(log, round, cursor.event);
  const said = captionAt(round, cursor, holdOf(player), names, view).text;
  const won = winners && round.end && victoryWords(winners, names, round.end.totals);
  write(byId("tv-why"), won || said);
}

/** A live match, some seconds late. */
class LiveTable {
  /** @param {Shot} shot @param {() => void} ready called when its table is first shown */
  constructor(shot, ready) {
    this.id = shot.table;
    this.names = shot.seats.map(({ name }) => name);
    this.goal = shot.rules;
    /** Whose take is about to turn the chances. @type {number | null} */
    this.seat = null;
    this.root = box("section", "tv-table is-coming");
    tables.append(this.root);
    const shown = { id: shot.table, seats: shot.seats, rules: shot.rules };
    this.board = new MiniBoard(this.root, shown, () => this.board.round && ready(), shot.delay_ms);
    this.board.player.onChange(() => this.tell());
    this.board.start();
    this.since = performance.now();
  }

  /** Whether its end is still to be seen. */
  get ending() {
    return this.board.over && (!this.board.player.atEnd || this.board.resting(REST_MS));
  }

  get seconds() {
    return Math.floor((performance.now() - this.since) / 1000);
  }

  enter() {
    this.root.classList.remove("is-coming");
    drawTimeline(this.board.player);
    this.since = performance.now();
  }

  /** Says what the match on the screen is about, and shows where. */
  tell() {
    if (live !== this) return;
    const { board, player } = this.board;
    const { round, cursor } = player;
    const takes = /** @type {Play[]} */ (round?.events.slice(cursor.event).filter(isTake) ?? []);
    const { stack = 0 } = takes.find(({ seat }) => seat === this.seat) ?? {};
    // Only of the stack that lies there, and not before another player takes that.
    const next = takes.find((each) => each.stack === stack);
    const there = round?.timeline?.tableAt(cursor.event).stacks[stack].length;
    const take = there && next?.seat === this.seat ? next : null;
    this.root.className = `tv-table deck-${this.seat}`;
    for (const { element, number } of board.slots)
      element.classList.toggle("is-at-stake", number === take?.stack);
    for (const { element, number } of board.seats)
      element.classList.toggle("is-at-stake", number === take?.seat);
    tell(this.names, player, this.goal);
    if (!take) return;
    const words = gettext("{player} is about to take stack {stack}.", {
      player: this.names[take.seat],
      stack: take.stack + 1,
    });
    write(byId("tv-why"), words);
  }

  leave() {
    this.board.stop();
    this.root.remove();
  }
}

/** The moments, one after the other, until `stop`. */
class Moments {
  /** @param {PlayedMoment[]} moments */
  constructor(moments) {
    this.moments = moments;
    this.at = 0;
    /** @type {Player | null} */
    this.player = null;
    this.root = box("section", "tv-table");
  }

  get running() {
    return this.player !== null;
  }

  start() {
    if (this.running || !this.moments.length) return;
    tables.append(this.root);
    this.#show();
  }

  stop() {
    this.player?.pause();
    this.player = null;
    this.root.remove();
  }

  #show() {
    const { match, first, round, event, until } = this.moments[this.at % this.moments.length];
    const log = new Log(match, { unpack: unpackRound, fetchJson: jsonAt });
    const names = match.seats.map((/** @type {{name: string}} */ { name }) => name);
    const player = new Player(log, (step) => requestAnimationFrame(step));
    const table = box("div", "");
    this.root.replaceChildren(table);
    const board = new Board(table, match.seats, { goal: match.rules });
    player.onChange(() => {
      if (board.showPlace(player, "all")) tell(names, player, match.rules, "all");
    });
    this.player = player;
    drawTimeline(player);
    let left = TIMES;
    const span = { round, event, until };
    const loop = new Loop(player, () => {
      left -= 1;
      if (left) {
        loop.start(span);
        return;
      }
      player.pause();
      if (this.player !== player) return;
      this.at += 1;
      this.#show();
    });
    log.append(first);
    loop.start(span);
  }
}

const moments = new Moments(JSON.parse(byId("tv-moments").textContent ?? "[]"));
/** @type {LiveTable | null} */
let live = null;
/** On its way onto the screen. @type {LiveTable | null} */
let coming = null;

/** What is said of the match on the screen. @param {LiveTable} table @param {Shot} shot */
function describe(table, { seat, p, seats, qr }) {
  table.seat = seat;
  table.tell();
  const shares = percents(p);
  const names = seats.map(({ name }, at) =>
    box(
      "span",
      `tv-player deck-name deck-${at}`,
      markOf(at),
      box("bdi", "cut", name),
      box("b", "", shares[at]),
    ),
  );
  const label = box("span", "soft", gettext("Chance to win"));
  byId("tv-chances").replaceChildren(...(p.length ? [label, ...names] : []));
  const phone = /** @type {HTMLAnchorElement} */ (byId("tv-phone"));
  phone.hidden = false;
  phone.href = address.replace("ID", table.id);
  const code = new DOMParser().parseFromString(qr, "text/html").body;
  if (byId("tv-qr").innerHTML !== code.innerHTML) byId("tv-qr").replaceChildren(...code.children);
}

/** @param {Shot} shot */
function follow(shot) {
  if (live?.id === shot.table) return describe(live, shot);
  if (coming?.id === shot.table) return;
  coming?.leave();
  const next = new LiveTable(shot, () => {
    if (coming !== next) return;
    moments.stop();
    live?.leave();
    live = next;
    coming = null;
    next.enter();
    describe(next, shot);
  });
  coming = next;
}

/** Nobody plays. */
function idle() {
  live?.leave();
  coming?.leave();
  live = coming = null;
  byId("tv-phone").hidden = true;
  const words = gettext("No match is in progress. The next one will start here.");
  if (moments.moments.length) byId("tv-chances").replaceChildren(words);
  else write(byId("tv-why"), words);
  moments.start();
}

async function look() {
  if (!live?.ending) {
    const on = new URLSearchParams({ on: live?.id ?? "", seconds: String(live?.seconds ?? 0) });
    const { ok, data } = await request("GET /api/v1/tv", `${url}?${on}`);
    // While the site is away, the screen stays as it is.
    if (ok && data.shot) follow(data.shot);
    else if (ok) idle();
  }
  setTimeout(look, ASK_MS);
}

/** The screen stays on, where the browser allows that. */
function stayAwake() {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();
look();
