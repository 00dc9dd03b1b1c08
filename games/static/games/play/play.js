/**
 * A table's page: the seats before the deal, then the round with the player's own hand.
 *
 * The parts do the work: `socket.js` brings the log, `timeline.js` folds it, `seat.js` adds the
 * player's unconfirmed actions, `board.js` shows it. Here they are connected.
 * @typedef {import("./scoreboard.js").State} State
 * @typedef {{id: string, seat: number | null, key: string, uses: import("./seat.js").Uses,
 *   seats: {name: string, kind: string, beginner?: boolean}[], called: Record<string, string>,
 *   rules: {out: string, target: number, speedy: boolean, floor_at_zero: boolean, gap_ms: number, mistake_ms: number,
 *     empty_minutes: number},
 *   guided: boolean, at_once: boolean, waits: boolean, watching: boolean, replay: string, log: string, table: string, lobby: string, watch: string, log_in: string}} Page
 * @typedef {import("../live/seatwords.js").Present} Present
 * @typedef {import("frames").StateFrame["seats"][number]} SeatState
 */

import { installSprite } from "../board/cards.js";
import { copied } from "../dom/controls.js";
import { byId, write } from "../dom/elements.js";
import { bind, load, save, showMotion } from "../dom/settings.js";
import { stored, tabStorage } from "../dom/storage.js";
import { Checked } from "../live/checked.js";
import { ConnectionStatus, saidIn } from "../live/connection.js";
import { LiveSocket } from "../live/socket.js";
import { gettext, listed, ngettext } from "../words/gettext.js";
import { SeatController } from "./controller.js";

/** Keys that a player may press without wanting to play. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock", "Tab"]);

const SOON = gettext("Still there? A bot will play for you soon.");
const NOW = gettext("A bot is playing for you.");

/**
 * Asks a player who does nothing.
 * @param {HTMLElement} root hidden while nothing is asked
 * @param {() => void} back says that the player is there
 */
function asksIdle(root, back) {
  const answer = () => root.hidden || back();
  document.addEventListener("pointerdown", answer, true);
  document.addEventListener("keydown", ({ key }) => MODIFIERS.has(key) || answer(), true);
  return (/** @type {Present} */ own, /** @type {boolean} */ playing) => {
    const words = own.bot ? NOW : own.here && own.away_ms !== null ? SOON : "";
    root.hidden = !words || !playing;
    write(/** @type {HTMLElement} */ (root.querySelector("span")), words);
  };
}

class OneTab {
  /** @param {string} name of the seat @param {{yield: () => void, resume: () => void}} does */
  constructor(name, does) {
    this.does = does;
    this.playing = true;
    this.channel = new BroadcastChannel(`ratuki.seat.${name}`);
    this.channel.addEventListener("message", () => {
      if (!this.playing) return;
      this.playing = false;
      does.yield();
    });
    this.claim();
  }

  /** Play here: other tabs step aside. */
  claim() {
    this.channel.postMessage("mine");
    if (this.playing) return;
    this.playing = true;
    this.does.resume();
  }
}

/** From this round-trip time in ms, races are lost to delay. */
const SLOW_MS = 160;

/** @param {number} lag round-trip ms */
const slowLine = (lag) =>
  gettext(
    "Your connection is slow: a card takes about {lag} ms to reach the table. Others will win close races.",
    { lag: Math.round(lag / 2) },
  );

/** @param {SeatState} seat */
function wordOf(seat) {
  if (!seat.kind) return "";
  if (seat.kind === "bot") return gettext("ready");
  if (!seat.here) return gettext("not here yet");
  return seat.ready ? gettext("ready") : gettext("here");
}

class Seating {
  /**
   * @param {HTMLElement} root
   * @param {(ready: boolean) => void} ready reports that the player is ready, or no longer is
   * @param {(yes: boolean) => void} [start] votes to start without missing players, where that may be
   */
  constructor(root, ready, start) {
    this.root = root;
    this.places = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".table-seats > li")]);
    this.button = /** @type {HTMLButtonElement | null} */ (root.querySelector("#ready"));
    this.start = start && /** @type {HTMLButtonElement | null} */ (root.querySelector("#start"));
    this.start?.addEventListener("click", () =>
      start?.(this.start?.getAttribute("aria-pressed") !== "true"),
    );
    this.note = root.querySelector("#seating-note");
    this.button?.addEventListener("click", () =>
      ready(this.button?.classList.contains("primary") === true),
    );
  }

  /**
   * @param {SeatState[]} seats @param {number | null} own
   * @param {number | null} lag round-trip ms
   */
  show(seats, own, lag) {
    seats.forEach((seat, number) => this.#showPlace(this.places[number], seat));
    const free = seats.filter((seat) => !seat.kind).length;
    for (const form of this.root.querySelectorAll(".needs-free"))
      form.toggleAttribute("hidden", !free);
    const mine = own === null ? null : seats[own];
    if (this.button && mine) {
      this.button.disabled = false;
      this.button.classList.toggle("primary", !mine.ready);
      write(this.button, mine.ready ? gettext("Not ready") : gettext("I am ready"));
    }
    if (this.start && mine) this.#offerStart(this.start, seats, mine);
    if (this.note) write(this.note, this.#waitsFor(seats, free, own));
    if (own !== null) this.#warn(lag);
  }

  /** @param {HTMLButtonElement} button @param {SeatState[]} seats @param {SeatState} mine */
  #offerStart(button, seats, mine) {
    const people = seats.filter((seat) => seat.kind === "human");
    const here = people.filter((seat) => seat.here);
    const votes = here.filter((seat) => seat.votes.includes("start")).length;
    button.hidden = here.length === people.length;
    button.setAttribute("aria-pressed", String(mine.votes.includes("start")));
    write(
      button,
      gettext("Start without them ({votes} of {count})", { votes, count: here.length }),
    );
  }

  /** Warns of a slow connection before the first card. @param {number | null} lag ms */
  #warn(lag) {
    const warning = this.root.querySelector("#slow-line");
    if (!warning) return;
    warning.toggleAttribute("hidden", lag === null || lag < SLOW_MS);
    if (lag !== null) write(warning, slowLine(lag));
  }

  /** @param {HTMLElement} place @param {SeatState} seat */
  #showPlace(place, seat) {
    place.classList.toggle("free", !seat.kind);
    place.classList.toggle("is-ready", seat.ready);
    place.classList.toggle("is-away", Boolean(seat.kind) && !seat.here);
    write(/** @type {Element} */ (place.querySelector(".name")), seat.name ?? gettext("free"));
    write(/** @type {Element} */ (place.querySelector(".place-state")), wordOf(seat));
  }

  /** @param {SeatState[]} seats @param {number} free @param {number | null} own the viewer's seat */
  #waitsFor(seats, free, own) {
    if (free) return ngettext("One seat is still free.", "{count} seats are still free.", free);
    const late = seats
      .filter((seat) => seat.kind && !seat.ready)
      .map((seat) => (seats.indexOf(seat) === own ? gettext("you") : (seat.name ?? "")));
    return late.length
      ? gettext("Waiting for {names}.", { names: listed(late) })
      : gettext("Everyone is ready.");
  }

  close() {
    this.root.hidden = true;
  }
}

/** @type {Page} */
const page = JSON.parse(byId("table").textContent ?? "null");
/** How the visitor's class calls the players, by the names that the server sends. */
const called = new Map(Object.entries(page.called));
/** @param {{name: string | null}[]} seats */
function call(seats) {
  for (const seat of seats) seat.name = called.get(seat.name ?? "") ?? seat.name;
}
const settings = load();
const connection = new ConnectionStatus(saidIn(byId("net")));
const root = document.getElementById("seating");
const seating =
  root &&
  new Seating(
    root,
    (ready) => socket.send({ type: "ready", ready }),
    page.waits ? (yes) => socket.send({ type: "vote", for: "start", yes }) : undefined,
  );

const mark = document.getElementById("checked");
const checked = mark && page.seat !== null ? new Checked(mark, page.id, page.seat) : null;

const socket = new LiveSocket(
  `/ws/${page.seat === null ? "watch" : "matches"}/${page.id}/`,
  {
    status: (status, why) => {
      connection.status(status, why);
      play?.status(status);
    },
    welcome: (frame) => {
      call(frame.match.seats);
      // The seat has changed hands: this page may no longer do what it shows.
      lost = page.seat !== null && frame.seat === null;
      if (!lost && seated && frame.seat !== page.seat) location.reload();
      seated ||= frame.seat === page.seat;
      play?.welcome(frame);
    },
    restart: (seq) => play?.restart(seq),
    lines: (frame) => {
      play?.lines(frame);
      connection.current();
    },
    answer: (frame) => play?.answer(frame),
    state,
    heard: (frame) => checked?.hear(frame),
    asked: (frame) => checked?.ask(frame),
  },
  { key: page.key },
);
/** What follows the match. Its modules are fetched once it is over: the table works without them. */
const next = document.getElementById("next");
let isOver = false;
function over() {
  const parts = isOver ? [] : [next, document.getElementById("calls")];
  isOver = true;
  for (const part of parts)
    if (part?.dataset.module)
      import(part.dataset.module).then(({ mount }) => mount?.(part)).catch(reportError);
  return next;
}
const play =
  page.seat === null
    ? null
    : new SeatController({ ...page, seat: page.seat }, socket, settings, over);

const still = document.getElementById("idle");
const askIdle = still && asksIdle(still, () => socket.send({ type: "back" }));

let asked = false;
let going = false;
let seated = false;
/** Whether the page's seat is no longer this visitor's. */
let lost = false;
/** Whether readiness has been restored since the page was loaded. */
let again = false;

/** @param {State} news */
function state(news) {
  call(news.seats);
  connection.current();
  // A coach has seated the class again, or the visitor is someone else now.
  if (lost && page.seat !== null && news.seats[page.seat].name === page.seats[page.seat].name)
    return loggedOut();
  if (lost) return goOn(page.watch, true);
  if (news.next) goOn(page.table.replace("ID", news.next));
  const waiting = news.phase === "seating";
  if (waiting) seating?.show(news.seats, page.seat, socket.lagMs);
  else if (page.seat === null) goOn(page.watch, true);
  else seating?.close();
  if (waiting && page.seat !== null) readyAgain(news.seats[page.seat].ready);
  if (waiting && news.seats.every((seat, number) => number === page.seat || seat.kind === "bot"))
    begin();
  play?.state(news);
  if (play) checked?.salted(play.salting);
  if (page.seat !== null) askIdle?.(news.seats[page.seat], news.phase === "round");
}

/**
 * Opens the next page, once: asked for again with each state, a slow server would never get to it.
 * @param {string} url
 * @param {boolean} [instead] whether the way back leaves this page out
 */
function goOn(url, instead = false) {
  if (going) return;
  going = true;
  if (instead) location.replace(url);
  else location.assign(url);
}

/** The seat belongs to an account or guest that this browser no longer is. */
function loggedOut() {
  connection.changed(
    gettext(
      "You were logged out, in another tab or because your password changed. Your seat is kept.",
    ),
    {
      label: gettext("Log in to play on"),
      does: () => location.assign(`${page.log_in}?next=${encodeURIComponent(location.pathname)}`),
    },
  );
  socket.stop();
}

/** A player who was ready before a reload is ready after it. @param {boolean} mine */
function readyAgain(mine) {
  const key = `ratuki.ready.${page.id}`;
  if (mine) stored(tabStorage(), key, "yes");
  else if (!again && tabStorage().getItem(key)) socket.send({ type: "ready", ready: true });
  else if (again) tabStorage().removeItem(key);
  again = true;
}

/** A player who is dealt to at once is not asked, nor an experienced one against bots alone. */
function begin() {
  if (!(settings.introduced || page.at_once) || asked || page.seat === null) return;
  asked = true;
  socket.send({ type: "ready", ready: true });
}

/** The introduction stays until dismissed. */
function introduce() {
  const words = document.getElementById("how-to");
  if (!words) return;
  words.hidden = settings.introduced && page.seat !== null;
  words.querySelector("button")?.addEventListener("click", () => {
    settings.introduced = true;
    save(settings);
    words.hidden = true;
    document.getElementById("ready")?.focus();
  });
}

showMotion(settings);
installSprite();
introduce();
const copy = document.querySelector("[data-do=copy]");
copy?.addEventListener("click", async () => {
  const field = /** @type {HTMLInputElement} */ (byId("invite"));
  field.select();
  const done = await copied(field.value);
  copy.textContent = done ? gettext("Copied") : gettext("Copy the selected link");
});
const options = document.getElementById("options");
if (options) bind(options, settings, () => play?.show());
if (page.seat !== null) {
  const tab = new OneTab(page.id, {
    yield: () => {
      connection.changed(gettext("You are playing in another tab."), {
        label: gettext("Play here"),
        does: () => tab.claim(),
      });
      socket.pause();
    },
    resume: () => {
      connection.restored();
      socket.resume();
    },
  });
}
addEventListener("online", () => socket.start());
addEventListener("offline", () => {
  connection.offline();
  play?.show();
});
document.addEventListener("visibilitychange", () => document.hidden || socket.start());
if (page.seat !== null || page.watching) socket.start();

const places = document.getElementById("places");
if (places?.dataset.module)
  import(places.dataset.module).then(({ mount }) => mount(places)).catch(reportError);
