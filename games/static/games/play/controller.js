/**
 * A seat's round in the page: folds and shows the lines, and requests the player's actions.
 * @import { Answer, Lines, LiveSocket, Status, Welcome } from "../live/socket.js"
 * @typedef {import("./scoreboard.js").State} State
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @typedef {import("../dom/settings.js").Settings} Settings
 * @typedef {import("./play.js").Page & {seat: number}} Page
 */

import { Board } from "../board/board.js";
import { later } from "../dom/clock.js";
import { byId } from "../dom/elements.js";
import { save } from "../dom/settings.js";
import { Sounds } from "../dom/sounds.js";
import { isCurrent } from "../live/connection.js";
import { Salting } from "../live/salting.js";
import { offerPhrases, Presence, showPhrases } from "../live/seatwords.js";
import { HOLD_MS } from "../match/caption.js";
import { HAND, Table } from "../match/fold.js";
import { Log } from "../match/log.js";
import { isNear, Player } from "../match/player.js";
import { gainOf, standingAt } from "../match/ranking.js";
import { spokenNames } from "../match/words.js";
import { gettext } from "../words/gettext.js";
import { PendingActions } from "./actionqueue.js";
import { advice, showFacts } from "./advice.js";
import { Announcements, Reactions } from "./announcements.js";
import { HandControls } from "./handcontrols.js";
import { AutoDraw, Buttons, bindKeys, inUse, KEYS, watchInput } from "./keyboard.js";
import { Absence, Behind, LookBack } from "./lookback.js";
import { Scoreboard } from "./scoreboard.js";

/** How many rounds can be looked back at. */
const KEPT_ROUNDS = 40;
/** A deal older than this, in ms, was not being waited for. */
const FRESH_MS = 2500;
/** How long, in ms, a player who leaves waits for the bot, if the connection stays. */
const LEAVE_MS = 8000;

export class SeatController {
  /**
   * @param {Page} page @param {LiveSocket} socket @param {Settings} settings
   * @param {() => HTMLElement | null} [over] once the match is, what follows it
   */
  constructor(page, socket, settings, over = () => null) {
    this.page = page;
    this.over = over;
    this.socket = socket;
    this.settings = settings;
    this.names = page.seats.map((seat) => seat.name);
    this.log = new Log({ id: page.id, seats: page.seats }, null, KEPT_ROUNDS);
    // The seat must know a line before the board shows it, so this comes before the player's own.
    this.log.onGrow(() => this.#confirm());
    this.player = new Player(this.log, (step) => requestAnimationFrame(step));
    this.lookback = new LookBack(this.player, () => this.show());
    new Behind(this.lookback);
    /** @type {import("../match/player.js").Cursor | null} */
    this.stood = null;
    this.player.onChange((cursor) => this.#moved(cursor));
    this.player.follow();
    this.pending = new PendingActions(
      { seat: page.seat, uses: page.uses, gap: page.rules.gap_ms },
      (asked) => socket.act(this.log.last?.number ?? 0, asked),
      () => {
        this.announcements.notice.say(
          gettext("Too late for that stack. Nothing was sent."),
          "warn",
        );
        queueMicrotask(() => this.show([], true));
      },
    );
    this.own = this.pending.own;
    this.hand = this.pending.hand;
    this.sounds = new Sounds(() => settings.sound);
    this.announcements = new Announcements(
      { said: byId("said"), notice: byId("notice") },
      page.seat,
    );
    this.reactions = new Reactions(
      page,
      this.log,
      this.announcements.notice,
      this.sounds,
      () => socket.lagMs,
    );
    this.scoreboard = this.#scoreboard();
    /** @type {State | null} */
    this.news = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {HandControls | null} */
    this.controls = null;
    this.presence = new Presence();
    this.salting = new Salting(page.seat, (frame) => socket.send(frame));
    this.absence = new Absence(this.log, page, (words) => this.announcements.notice.keep(words));
    /** In a guided round. @type {import("./lessons.js").Guide | null} */
    this.guide = null;
    this.live = false;
    /** Whether the next lines are the current state rather than news. */
    this.catching = true;
    this.autodraw = new AutoDraw(this.pending, () => this.acting && settings.autodraw);
    this.buttons = this.#buttons();
    /** Whether the player is on the way to the lobby, where the bot's work is known. */
    this.leaving = false;
    watchInput(() => this.show([], true));
    const phrases = document.getElementById("phrases");
    if (phrases) offerPhrases(phrases, (phrase) => socket.send({ type: "say", phrase }));
    bindKeys(this);
    if (page.guided) this.#teach();
    if (page.at_once) this.#open();
  }

  /** Says and marks in a guided round which rule is needed now. */
  async #teach() {
    const { Guide } = await import("./lessons.js");
    this.guide = new Guide(this.page.seat, this.names);
    this.show();
  }

  #scoreboard() {
    const { page } = this;
    const about = { ...page.rules, seat: page.seat, replay: page.replay, lobby: page.lobby };
    const handlers = {
      ready: () => this.socket.send({ type: "ready", ready: true }),
      rematch: (/** @type {boolean} */ yes) =>
        this.socket.send({ type: "vote", for: "rematch", yes }),
      over: this.over,
    };
    return new Scoreboard(byId("between"), byId("count"), about, handlers, (kind) =>
      this.sounds.sound(kind),
    );
  }

  #buttons() {
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("leaving"));
    dialog?.addEventListener("close", () => {
      if (dialog.returnValue === "leave") this.#leave();
      else if (dialog.returnValue) this.#abandon();
    });
    return new Buttons(
      {
        draw: () => this.draw(),
        discard: () => this.here() && this.controls?.discard(),
        out: () => this.out(),
        leave: () => {
          dialog.returnValue = "";
          dialog.showModal();
        },
      },
      () => this.show([], true),
    );
  }

  // Incoming

  /** @param {Status} status */
  status(status) {
    this.live = status === "live";
    if (this.live) return;
    if (this.leaving) this.#go();
    if (status === "closed") this.scoreboard.close();
    this.pending.lost();
    this.absence.leave();
    this.catching = true;
    this.show([], false);
  }

  /** @param {Welcome} frame */
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

  /** A round is sent since its deal, the line with that seq. @param {number} seq */
  restart(seq) {
    this.catching = true;
    this.#forget();
    this.log.forgetFrom(seq);
    if (!this.player.round) this.player.follow();
  }

  #forget() {
    this.pending.forget();
    this.controls?.letGo();
  }

  /** @param {State} news */
  state(news) {
    const before = this.news?.phase;
    this.news = news;
    if (this.leaving && news.seats[this.page.seat].bot) this.#go();
    this.salting.state(news);
    if (before === "round" && news.phase !== "round") this.controls?.letGo();
    if (news.phase === "seating") {
      this.#meet(news.seats);
      return;
    }
    if (!this.log.last?.end) this.log.carried = news.totals;
    this.#open();
    this.scoreboard.show(news, this.#result);
    document.body.classList.toggle("paused", news.phase === "pause");
    if (news.phase === "pause" && before !== "pause")
      this.announcements.notice.say(gettext("Paused until everyone is back."));
    showFacts(news, this.page, this.socket.lagMs);
    if (this.board) showPhrases(this.board, news.seats, this.settings.phrases);
    if (this.board) this.presence.show(this.board, news.seats);
    this.show();
  }

  /** How the last round, and the match, ended. */
  get #result() {
    const { names, page } = this;
    const { table } = this.own;
    return {
      names,
      end: this.log.last?.end ?? null,
      winners: this.log.result,
      gains: names.map((_, seat) => (table ? gainOf(table, seat, page.rules) : 0)),
    };
  }

  /** @param {Lines} frame */
  lines(frame) {
    const dealt = frame.lines.some((line) => "decks" in line);
    const events = frame.lines.filter((line) => "do" in line);
    if (dealt) this.#forget();
    this.#open();
    this.log.append({ seq: frame.seq, lines: frame.lines });
    if (this.catching) this.absence.end(this.names);
    const fresh = !this.catching && events.length < 60;
    this.catching = false;
    if (dealt) this.scoreboard.deal();
    if (dealt && frame.now < FRESH_MS && this.board) this.reactions.dealt(this.board);
    if (this.log.last?.end) this.#ended();
    if (this.board && frame.lines.some((line) => "result" in line)) this.reactions.over(this.board);
    this.#react(events, fresh || events.length < 4);
    if (this.lookback.back) this.show();
  }

  /** The host's lines are in the log: what they settle no longer waits. */
  #confirm() {
    const { last, next } = this.log;
    if (!last?.timeline) return;
    this.pending.confirm(last.timeline.table, next);
    this.announcements.follow(last);
  }

  /** Whoever has played a round knows the game. */
  #ended() {
    if (this.news) this.scoreboard.scored(this.news, this.#result);
    if (this.settings.introduced) return;
    this.settings.introduced = true;
    save(this.settings);
  }

  /** @param {RoundEvent[]} events @param {boolean} fresh */
  #react(events, fresh) {
    const { seat, rules } = this.page;
    if (events.some((event) => event.do === "miss" && event.seat === seat))
      this.hand.rest(rules.mistake_ms);
    if (fresh && !this.lookback.back) this.reactions.hear(events);
  }

  /** @param {Answer} frame */
  answer(frame) {
    if (!this.pending.answered(frame, this.socket.seq ?? 0)) return;
    if (frame.type === "refused") this.reactions.refused(frame);
    this.show([], true);
  }

  // Display

  /** The board is created once all names are known. */
  #open() {
    if (this.board) return;
    byId("live").hidden = false;
    this.announcements.names = spokenNames(this.names);
    this.board = new Board(byId("board"), this.page.seats, {
      home: this.page.seat,
      alone: true,
      goal: this.page.rules,
      beside: [this.announcements.list],
    });
    this.controls = new HandControls(this.board, this.own, this.settings, {
      play: (card, slot, number) => this.play(card, slot, number),
      discard: (card) => this.discard(card),
      picked: () => this.#hint(),
    });
    new ResizeObserver(() => this.controls?.show()).observe(this.board.root);
  }

  /** @param {import("../match/player.js").Cursor} cursor */
  #moved(cursor) {
    const before = this.stood;
    this.stood = cursor;
    const near = isNear(before, cursor);
    const applied =
      near && before ? this.player.round?.events.slice(before.event, cursor.event) : [];
    this.show(applied, near);
  }

  /**
   * Shows the cursor's position. At the end, with the player's own cards on their way.
   * @param {RoundEvent[]} [applied] @param {boolean} [lively]
   */
  show(applied = [], lively = true) {
    const { board, controls, own } = this;
    if (!board || !controls) return;
    const now = own.table ?? new Table(this.names.map(() => []));
    const { table, unconfirmed } = this.#shown() ?? { table: now, unconfirmed: [] };
    board.show(table, { view: this.page.seat, standing: this.#standing(), applied, lively });
    for (const [card, element] of board.cards)
      element.classList.toggle("unconfirmed", unconfirmed.includes(card));
    controls.show();
    this.#tools(now);
    this.autodraw.check();
  }

  /** The table to show. Only the present has cards on their way. */
  #shown() {
    const { round, cursor } = this.player;
    if (!this.lookback.back) return this.own.shown();
    return round?.timeline && { table: round.timeline.tableAt(cursor.event), unconfirmed: [] };
  }

  /** The table's further data. Also describes the last event. */
  #standing() {
    const { round, cursor } = this.player;
    if (!round?.timeline) {
      const totals = this.log.carried ?? this.names.map(() => 0);
      return { totals, winners: null, acting: [], out: null };
    }
    this.announcements.show(round, cursor, this.lookback.back ? 0 : HOLD_MS);
    return standingAt(this.log, round, cursor.event);
  }

  /** @param {Table} table */
  #tools(table) {
    const { seat } = this.page;
    const empty = !table.drawPiles[seat].length && !table.discardPiles[seat].length;
    const playing = this.playing;
    const room = this.own.hand.length < HAND;
    this.buttons.show({
      out: empty && playing,
      draw: playing && !empty && room,
      discarding: this.controls?.discarding ?? false,
      drawn: this.settings.autodraw,
    });
    this.#hint();
  }

  #advise() {
    const { own, controls, page, settings } = this;
    const how = {
      ...{ by: inUse(), keys: KEYS[settings.keys] ?? KEYS.letters },
      ...{ quick: settings.quick, drawn: settings.autodraw, shout: page.rules.out === "shout" },
    };
    const wanted = controls && this.acting && !this.lookback.back && isCurrent();
    this.announcements.notice.advise(wanted ? advice(own, controls, how) : "");
  }

  #hint() {
    if (this.guide) this.guide.show(this);
    else if (!this.settings.introduced) this.#advise();
  }

  /** Whether the player, who wants to act, may: looking back ends first. */
  here() {
    this.announcements.notice.acted();
    return this.lookback.here() && this.playing;
  }

  /**
   * Whether a round is being played with this page at its end. The deal may be here before the news
   * that the round has begun.
   */
  get playing() {
    const { table } = this.own;
    return this.live && this.news?.phase !== "pause" && table !== null && !table.ended;
  }

  /** Whether the player plays, and no bot for them. */
  get acting() {
    return this.playing && !this.news?.seats[this.page.seat].bot;
  }

  // The player's actions

  /** @param {string} card @param {number | null} slot @param {number} [number] */
  play(card, slot, number) {
    if (!this.here()) return;
    const outcome = this.own.play(card, slot, number);
    if (outcome === "sent") this.show([], true);
    if (outcome === "misfit") this.controls?.shake(card);
    if (outcome === "misfit" && slot !== null)
      this.announcements.notice.say(gettext("That does not fit there. Nothing was sent."));
  }

  /** @param {string} card */
  discard(card) {
    if (this.here() && this.own.discard(card) === "sent") this.show([], true);
  }

  draw() {
    if (!this.here()) return;
    if (this.own.hand.length >= HAND) this.reactions.handFull();
    else this.own.draw();
  }

  out() {
    if (this.here()) this.own.shout();
  }

  /** Votes to abandon the match, or no more. */
  #abandon() {
    const yes = !this.news?.seats[this.page.seat].votes.includes("abandon");
    this.socket.send({ type: "vote", for: "abandon", yes });
  }

  #leave() {
    this.leaving = true;
    this.announcements.notice.keep(gettext("Leaving…"));
    this.socket.send({ type: "leave" });
    later(LEAVE_MS, () => this.#go());
  }

  #go() {
    location.assign(this.page.lobby);
  }
}
