// @ts-check
/**
 * A seat's round in the page: what comes is folded and shown, what the player does is asked for.
 *
 * @typedef {import("../live/socket.js").Frame} Frame
 * @typedef {import("../live/socket.js").Status} Status
 * @typedef {import("../live/socket.js").LiveSocket} LiveSocket
 * @typedef {import("./scoreboard.js").State} State
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @typedef {import("../dom/settings.js").Settings} Settings
 * @typedef {import("./play.js").Page & {seat: number}} Page
 */

import { Board } from "../board/board.js";
import { exclaim } from "../board/motion.js";
import { byId, write } from "../dom/elements.js";
import { offerPhrases, showPhrases } from "../live/phrases.js";
import { LiveRound } from "../live/round.js";
import { Table } from "../match/fold.js";
import { isTake } from "../match/words.js";
import { advice } from "./advice.js";
import { Announcements } from "./announcements.js";
import { HandControls } from "./handcontrols.js";
import { commandOf, KEYS, keepsKey } from "./keyboard.js";
import { PendingActions } from "./pending.js";
import { Scoreboard } from "./scoreboard.js";
import { Sounds } from "./sounds.js";

const HAND = 3;
const RATUKI_MS = 900;
/** A deal that was made so long ago was not waited for. */
const FRESH_MS = 2500;

const REFUSED = /** @type {Record<string, string>} */ ({
  "hand-full": "You hold three cards already.",
  "no-card-to-draw": "There is no card left to draw.",
  "refill-first": "First fill your hand up to three.",
  "not-out": "Not out yet: cards lie in your draw or discard pile.",
  "out-by-itself": "No need to shout: the round ends by itself.",
  "tie-not-shown": "That card has just been tied.",
  "round-over": "The round is over.",
  paused: "The clock stands until everybody is back.",
  unavailable: "The table cannot keep up just now. Try again.",
  "not-seated": "A bot plays your seat.",
});

export class SeatController {
  /** @param {Page} page @param {LiveSocket} socket @param {Settings} settings */
  constructor(page, socket, settings) {
    this.page = page;
    this.socket = socket;
    this.settings = settings;
    this.names = page.seats.map((seat) => seat.name);
    this.round = new LiveRound(this.names, page.seat);
    this.pending = new PendingActions(
      { seat: page.seat, uses: page.uses, gap: page.rules.gap_ms },
      (asked) => socket.act(this.round.number, asked),
      () => this.#tooLate(),
    );
    this.own = this.pending.own;
    this.hand = this.pending.hand;
    this.sounds = new Sounds(() => settings.sound);
    this.announcements = new Announcements(byId("said"), byId("notice"), byId("feed"), this.names);
    const about = { ...page.rules, seat: page.seat, replay: page.replay, lobby: page.lobby };
    const wishes = {
      ready: () => socket.send({ type: "ready", ready: true }),
      rematch: (/** @type {boolean} */ yes) => socket.send({ type: "vote", for: "rematch", yes }),
    };
    this.scoreboard = new Scoreboard(byId("between"), byId("count"), about, wishes, (kind) =>
      this.sounds.sound(kind),
    );
    /** @type {State | null} */
    this.news = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {HandControls | null} */
    this.controls = null;
    this.live = false;
    /** Whether the next lines are no news, but how things stand. */
    this.catching = true;
    this.drawing = 0;
    this.#bind();
  }

  // What comes

  /** @param {Status} status */
  status(status) {
    this.live = status === "live";
    if (this.live) return;
    if (status === "closed") this.scoreboard.close();
    this.pending.lost();
    this.catching = true;
    this.show([], false);
  }

  /** @param {Frame} frame */
  welcome(frame) {
    this.#meet(frame.match.seats);
  }

  /** @param {{name: string | null, kind: string | null}[]} seats */
  #meet(seats) {
    seats.forEach((seat, number) => {
      this.names[number] = seat.name ?? "";
      this.page.seats[number] = {
        ...this.page.seats[number],
        name: seat.name ?? "",
        kind: seat.kind ?? "",
      };
    });
  }

  /** The round is told anew from its deal. */
  restart() {
    this.catching = true;
    this.#forget();
  }

  #forget() {
    this.pending.forget();
    this.controls?.let();
  }

  /** @param {State} news */
  state(news) {
    const before = this.news?.phase;
    this.news = news;
    if (news.phase === "seating") {
      this.#meet(news.seats);
      return;
    }
    this.round.totals = news.totals;
    this.#open();
    this.scoreboard.show(news, this.round);
    document.body.classList.toggle("paused", news.phase === "pause");
    if (news.phase === "pause" && before !== "pause")
      this.announcements.say("The clock stands until everybody is back.");
    this.#facts(news);
    if (this.board) showPhrases(this.board, news.seats, this.settings.phrases);
    this.show();
  }

  /** @param {State} news */
  #facts(news) {
    const speedy = this.page.rules.speedy ? "one round" : `to ${this.page.rules.target}`;
    const robots = news.seats
      .filter((seat) => seat.bot && seat.kind === "human")
      .map((seat) => seat.name);
    const watching = news.watching ? `, ${news.watching} watching` : "";
    write(
      byId("facts"),
      `Round ${Math.max(news.round, 1)}, ${speedy}${watching}${robots.length ? `. A bot plays for ${robots.join(", ")}` : ""}`,
    );
    const lag = this.socket.lagMs;
    write(byId("lag"), lag === null ? "" : `${lag} ms`);
    const quitting = news.seats
      .filter((seat) => seat.votes.includes("abandon"))
      .map((seat) => seat.name);
    write(
      byId("giving-up"),
      `${quitting.join(", ")} would give the match up. It ends when all people want it.`,
    );
    byId("giving-up").hidden = !quitting.length;
    const mine = news.seats[this.page.seat].votes.includes("abandon");
    document.querySelector("[data-do=abandon]")?.setAttribute("aria-pressed", String(mine));
  }

  /** @param {Frame} frame */
  lines(frame) {
    const dealt = frame.lines.some((/** @type {any} */ line) => line.decks);
    if (dealt) this.#forget();
    const events = this.round.take(frame.lines);
    if (!this.round.table) return;
    this.#open();
    this.pending.confirm(this.round.table, frame.seq + frame.lines.length);
    const fresh = !this.catching && events.length < 60;
    this.catching = false;
    if (dealt) this.#deal(frame.now < FRESH_MS);
    if (this.news && this.round.end) this.scoreboard.scored(this.news, this.round);
    this.#hear(events, fresh || events.length < 4);
    this.show(fresh && !dealt ? events : [], fresh && !dealt);
  }

  #tooLate() {
    this.announcements.say("Too late for that stack. Nothing was sent.", "warn");
    queueMicrotask(() => this.show([], true));
  }

  /** @param {boolean} fresh */
  #deal(fresh) {
    this.scoreboard.deal();
    this.announcements.clear();
    if (!fresh || !this.board) return;
    this.sounds.sound("ratuki");
    const { clientWidth, clientHeight } = this.board.root;
    exclaim(
      this.board.layer,
      "RATUKI!",
      { x: clientWidth / 2, y: clientHeight * 0.45 },
      { kind: "ratuki", duration: RATUKI_MS },
    );
  }

  /** @param {RoundEvent[]} events @param {boolean} fresh */
  #hear(events, fresh) {
    this.announcements.tell(this.round.said);
    for (const event of events) {
      const mine = "seat" in event && event.seat === this.page.seat;
      if (event.do === "miss" && mine) this.hand.rest(this.page.rules.mistake_ms);
      if (!fresh) continue;
      if (event.do === "late" && mine) this.#late();
      if (event.do === "miss" && mine)
        this.announcements.say(
          `It did not fit: ${this.page.rules.mistake_ms / 1000} s to take it back.`,
          "bad",
        );
      if (event.do === "play" && (mine || isTake(event)))
        this.sounds.sound(isTake(event) ? "take" : "play");
      else if (["tie", "out", "end"].includes(event.do) || (mine && event.do !== "draw"))
        this.sounds.sound(event.do);
    }
  }

  #late() {
    const first = this.round.met?.first;
    this.announcements.say(
      first
        ? `${this.names[first.seat]} was there ${first.ms} ms before you.`
        : "Too late for that stack.",
      "warn",
    );
  }

  /** @param {Frame} frame */
  answer(frame) {
    if (!this.pending.answered(frame, this.socket.seq ?? 0)) return;
    if (frame.type === "refused") this.#refused(frame);
    this.show([], true);
  }

  /** @param {Frame} frame */
  #refused({ rule, message, wait_ms }) {
    const wait = wait_ms > 0 ? ` ${(wait_ms / 1000).toFixed(1)} s to wait.` : "";
    this.announcements.say(
      (rule === "one-hand" ? "One hand." : (REFUSED[rule] ?? message)) + wait,
      "warn",
    );
    this.sounds.sound("miss");
  }

  // What is shown

  /** The board is made once everybody's name is known. */
  #open() {
    if (this.board) return;
    byId("live").hidden = false;
    this.board = new Board(byId("board"), this.page.seats, {
      home: this.page.seat,
      alone: true,
      goal: this.page.rules,
    });
    this.controls = new HandControls(this.board, this.own, this.settings, {
      play: (card, slot, number) => this.play(card, slot, number),
      discard: (card) => this.discard(card),
    });
    new ResizeObserver(() => this.controls?.show()).observe(this.board.root);
  }

  /** @param {RoundEvent[]} [applied] @param {boolean} [lively] */
  show(applied = [], lively = true) {
    const { board, controls } = this;
    if (!board || !controls) return;
    const empty = new Table(this.names.map(() => []));
    const { table, unconfirmed } = this.own.shown() ?? {
      table: this.round.table ?? empty,
      unconfirmed: [],
    };
    board.show(table, {
      view: this.page.seat,
      standing: this.round.standing(applied),
      applied,
      lively,
    });
    for (const [card, element] of board.cards)
      element.classList.toggle("unconfirmed", unconfirmed.includes(card));
    controls.show();
    this.#tools(table);
    this.#draws();
  }

  /** @param {Table} table */
  #tools(table) {
    const { seat } = this.page;
    const empty = !table.drawPiles[seat].length && !table.discardPiles[seat].length;
    const playing = this.playing;
    document.querySelector("[data-do=out]")?.classList.toggle("calls", empty && playing);
    document
      .querySelector("[data-do=draw]")
      ?.classList.toggle(
        "calls",
        playing && !empty && this.own.hand.length < HAND && !this.settings.autodraw,
      );
    const discard = document.querySelector("[data-do=discard]");
    discard?.setAttribute("aria-pressed", String(this.controls?.discarding ?? false));
    if (!this.settings.introduced) this.#advise();
  }

  #advise() {
    const keys = (KEYS[this.settings.keys] ?? KEYS.letters).hand;
    this.announcements.advise(
      this.playing ? advice(this.own, this.controls?.places ?? [], keys) : "",
    );
  }

  /** Whether a round is being played, and the page shows it as it is. */
  get playing() {
    return (
      this.live &&
      this.news?.phase === "round" &&
      this.round.table !== null &&
      !this.round.table.ended
    );
  }

  /** Draws by itself, once the hand is free and nothing is on its way. */
  #draws() {
    const { own, page } = this;
    const wanted =
      this.settings.autodraw &&
      this.playing &&
      own.hand.length < HAND &&
      own.table?.drawPiles[page.seat].length;
    if (!wanted || own.waiting.length || this.drawing) return;
    if (this.hand.wait === 0 && !this.hand.busy) own.draw();
    else
      this.drawing = window.setTimeout(
        () => {
          this.drawing = 0;
          this.#draws();
        },
        Math.max(this.hand.wait, 30),
      );
  }

  // What the player does

  /** @param {string} card @param {number | null} slot @param {number} [number] */
  play(card, slot, number) {
    if (!this.playing) return;
    const outcome = this.own.play(card, slot, number);
    if (outcome === "sent") this.show([], true);
    if (outcome === "misfit") this.controls?.shake(card);
    if (outcome === "misfit" && slot !== null)
      this.announcements.say("It does not fit there. Nothing was sent.");
  }

  /** @param {string} card */
  discard(card) {
    if (this.playing && this.own.discard(card) === "sent") this.show([], true);
  }

  draw() {
    if (!this.playing) return;
    if (this.own.hand.length >= HAND) this.announcements.say(REFUSED["hand-full"]);
    else this.own.draw();
  }

  out() {
    if (this.playing) this.own.shout();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (
      event.defaultPrevented ||
      keepsKey(event.target, event.key) ||
      !this.board ||
      !this.controls
    )
      return;
    const command = commandOf(event, this.settings.keys, this.names.length);
    if (!command || !this.playing) return;
    event.preventDefault();
    if (command.do === "hand") this.controls.pick(command.number);
    else if (command.do === "slot") this.controls.layOn(command.number);
    else if (command.do === "draw") this.draw();
    else if (command.do === "discard") this.controls.discard();
    else if (command.do === "out") this.out();
    else this.controls.let();
    this.show([], true);
  }

  #bind() {
    this.#bindPhrases();
    document.addEventListener("keydown", (event) => this.#key(event));
    const does = {
      draw: () => this.draw(),
      discard: () => this.controls?.discard(),
      out: () => this.out(),
      options: () => this.#toggleOptions(),
      abandon: () => this.#abandon(),
      leave: () => this.#leave(),
    };
    for (const [name, run] of Object.entries(does)) {
      const button = document.querySelector(`[data-do=${name}]`);
      button?.addEventListener("pointerdown", (event) => event.preventDefault());
      button?.addEventListener("click", () => {
        run();
        this.show([], true);
      });
    }
  }

  #bindPhrases() {
    offerPhrases(byId("phrases"), (phrase) => this.socket.send({ type: "say", phrase }));
  }

  #toggleOptions() {
    const options = byId("options");
    options.hidden = !options.hidden;
    document
      .querySelector("[data-do=options]")
      ?.setAttribute("aria-expanded", String(!options.hidden));
    if (!options.hidden) options.scrollIntoView({ block: "nearest" });
  }

  #abandon() {
    const wanted = this.news?.seats[this.page.seat].votes.includes("abandon");
    this.socket.send({ type: "vote", for: "abandon", yes: !wanted });
  }

  #leave() {
    this.socket.send({ type: "leave" });
    location.assign(this.page.lobby);
  }
}
