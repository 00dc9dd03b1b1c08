/**
 * How the leader moves followers: the leader's player is shown to the others, a follower's player
 * repeats the leader's. No DOM. Time is injected.
 *
 * The rules of this file:
 * - A follower who moves by hand is DETACHED: nothing yanks them, and `back` returns.
 * - Only a movement by hand counts as moving: players drift, and a place may not have arrived yet.
 * - The review knows its detached followers, so that its leader sees them.
 * - The leader's last place is sent again until the server says that it is the review's.
 * - A new leader first goes to the review's place.
 * - A page shows one chapter. The leader and followers leave it for the review's one. A leader who
 *   goes through chapters quickly does not make everyone load each of them.
 * - A follower who may not see the leader's what-if stays where they are, and sees why.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @import { Place, ReviewSession as Session } from "./session.js"
 * @typedef {import("../../games/dom/clock.js").Clock} Clock
 * @typedef {{view: () => string | number, look: (view: string) => void, line: () => string | null,
 *   openLine: (line: string | null, event?: number) => Promise<void>, changed: () => void,
 *   chapter: number, leave: () => void}} Table `chapter`: the one that this page shows, 0 without a
 *   study. `leave`: go to the review's.
 * @typedef {{round: number, event: number, line: string, chapter: number, view: string,
 *   speed: number}} Beginning  where a chapter begins
 */

import { SPEEDS } from "../../games/match/timeline.js";

/** How often the leader's place is sent while it changes, and while it plays, in ms. */
const SEND_MS = 150;
const BEAT_MS = 2000;
/** How long the review may take to be at the leader's place before it is sent again, in ms. */
const UNSAID_MS = 5000;
/** A follower's clock this far off, in ms of real time, is set again. */
const OFF_MS = 400;
/** How long after an input a movement is one by hand, in ms. */
const BY_HAND_MS = 700;
/**
 * How often, and after how long at first, a what-if that is not there yet is looked for again: less
 * and less often, for five minutes, since on a slow line it is saved late.
 */
const MOST_TRIES = 20;
const AGAIN_MS = 1500;
/** A follower leaves a chapter when the leader has been elsewhere, and the page here, for so long. */
const SETTLED_MS = 200;
const STAY_MS = 2000;

export class Steering {
  /**
   * @param {Player} player @param {Session} session @param {Table} table @param {Clock} clock
   * @param {string} prefix of the names of this browser's moves
   */
  constructor(player, session, table, clock, prefix) {
    this.player = player;
    this.session = session;
    this.table = table;
    this.clock = clock;
    this.prefix = prefix;
    this.attached = true;
    /** Whether the review knows that this viewer looks around. */
    this.toldDetached = false;
    this.moves = 0;
    /** The last place sent, and whether the review is known to be there. */
    this.sent = { id: "", at: -Infinity, key: "" };
    this.acked = "";
    this.waiting = false;
    /** @type {Place | null} */
    this.applying = null;
    this.viewed = "";
    this.inputAt = -Infinity;
    this.began = clock.now();
    this.led = false;
    /** The chapter to which the leader takes everyone, until the review is there. */
    this.going = /** @type {Beginning | null} */ (null);
    this.left = false;
    /** Whether this page shows by itself what happened, before it follows. */
    this.held = false;
    /** Whether the leader is in a what-if that this viewer may not see. */
    this.unseen = false;
    /** How often the line of which place was looked for again. */
    this.tried = { id: "", times: 0, waits: false };
    player.onChange(() => this.#moved());
    player.onState(() => this.#moved());
    player.log.onGrow(() => this.#grown());
  }

  /** Somebody has pressed a key or a button. */
  input() {
    this.inputAt = this.clock.now();
  }

  get #byHand() {
    return this.clock.now() - this.inputAt < BY_HAND_MS;
  }

  // --- From the review ------------------------------------------------------------------------

  /** The review's place or its leader may have changed. */
  heard() {
    const { place, leading, ended } = this.session;
    if (!place || ended || this.held) return;
    if (!leading) this.going = null;
    if (place.chapter !== this.table.chapter) {
      if (leading || this.attached) this.#leave();
      return;
    }
    const begins = leading && !this.led;
    this.led = leading;
    if (begins && place.id === "") return this.#send();
    if (begins) {
      this.attached = true;
      this.#tell();
      if (place.id === this.sent.id || !this.#unsaid) return this.#apply(place);
    }
    if (!leading) {
      if (this.attached) this.#apply(place);
      return;
    }
    if (place.id.startsWith(this.prefix)) this.acked = place.id;
    else if (!this.#unsaid) this.#apply(place);
  }

  /** Whether the leader's last place may not have reached the server. */
  get #unsaid() {
    return this.sent.id !== "" && this.acked !== this.sent.id;
  }

  /** The connection is back: say again what may have been lost. */
  again() {
    this.toldDetached = false;
    this.#tell();
    if (!this.session.leading) return;
    if (this.going) this.leadTo(this.going);
    else if (this.#unsaid && this.session.place?.id !== this.sent.id) this.#send();
  }

  /** Says whether this viewer looks around, if the review does not know. */
  #tell() {
    if (this.toldDetached === !this.attached) return;
    this.toldDetached = !this.attached;
    this.session.say("detach", { detached: this.toldDetached });
  }

  /** Takes everyone to a chapter. @param {Beginning} beginning */
  leadTo(beginning) {
    this.going = beginning;
    this.moves += 1;
    const { line, ...fields } = beginning;
    this.session.say("move", {
      ...{ id: `${this.prefix}${this.moves}`, t: 0, ...fields, ...(line && { line }) },
      ...{ playing: false, following: false, smart: false },
    });
  }

  #leave() {
    if (this.left) return;
    this.left = true;
    const { clock, session } = this;
    const wait = session.leading ? 0 : Math.max(SETTLED_MS, STAY_MS - (clock.now() - this.began));
    clock.later(wait, () => {
      const elsewhere = session.place?.chapter !== this.table.chapter;
      if (elsewhere && (session.leading || this.attached)) this.table.leave();
      else {
        this.left = false;
        this.heard();
      }
    });
  }

  back() {
    this.attached = true;
    this.#tell();
    this.inputAt = -Infinity;
    if (this.session.place && this.session.place.chapter !== this.table.chapter) this.#leave();
    else if (this.session.place) this.#apply(this.session.place);
    this.table.changed();
  }

  /** How far the leader's clock is by now. @param {Place} place */
  timeOf(place) {
    if (!place.playing || place.smart) return place.t;
    const age = place.age + this.clock.now() - place.heard;
    return place.t + (age * place.speed) / 100;
  }

  /** @param {Place} place */
  async #apply(place) {
    const { table } = this;
    const moving = this.applying !== null;
    this.applying = place;
    if (place.view !== this.viewed) {
      this.viewed = place.view;
      table.look(place.view);
    }
    this.#pace(place);
    const line = place.line || null;
    if (!this.#shows(place)) await table.openLine(line, place.event);
    if (this.applying !== place) return;
    const unseen = line !== table.line();
    if (!unseen) await this.#stand(place, moving);
    if (this.applying === place) this.applying = null;
    if (!this.#shows(place)) this.#tryAgain(place);
    if (this.unseen === unseen) return;
    this.unseen = unseen;
    table.changed();
  }

  /** Whether this page shows the line of a place as far as the place. @param {Place} place */
  #shows({ line, round, event }) {
    if ((line || null) !== this.table.line()) return false;
    return !line || (this.player.log.rounds[round - 1]?.events.length ?? 0) >= event;
  }

  /** What the leader has just played may not be saved yet. @param {Place} place */
  #tryAgain(place) {
    if (this.tried.id !== place.id) this.tried = { id: place.id, times: 0, waits: false };
    const { tried, session } = this;
    // Other news of the review may come at any time: they are no tries.
    if (tried.waits || tried.times >= MOST_TRIES) return;
    tried.times += 1;
    tried.waits = true;
    this.clock.later(AGAIN_MS * tried.times, () => {
      tried.waits = false;
      const now = session.place;
      const still = now?.id === place.id && this.attached && !session.leading;
      if (still && !this.applying && !session.ended) this.#apply(now);
    });
  }

  /** @param {Place} place */
  #pace({ speed, smart }) {
    const { player } = this;
    if (SPEEDS.includes(speed / 100) && player.speed !== speed / 100) {
      player.speed = speed / 100;
      player.changeSpeed(0);
    }
    if (player.smart !== smart) player.setSmart(smart);
  }

  /** @param {Place} place @param {boolean} moving whether the player is on its way to an earlier place */
  async #stand(place, moving) {
    const { player } = this;
    const { round, event } = place;
    if (place.following && !player.log.finished) {
      player.pause();
      if (moving || !player.following) await player.follow();
      return;
    }
    if (!place.playing) {
      player.pause();
      const exact = player.log.rounds[round - 1]?.eventBy(place.t) === event;
      if (moving || !this.#stands(place) || player.following)
        await player.goTo(exact ? { round, t: place.t } : { round, event });
      return;
    }
    const t = this.timeOf(place);
    const off = Math.abs(player.cursor.t - t) / (place.speed / 100);
    const far = player.cursor.round !== round || off > OFF_MS;
    if ((moving || far) && !(await player.goTo({ round, t }))) return;
    if (!player.playing && !(player.atEnd && player.log.finished)) player.play();
  }

  /** Whether the player is where a place that does not play is. @param {Place} place */
  #stands({ round, event }) {
    const { cursor } = this.player;
    return cursor.round === round && cursor.event === event;
  }

  /** What the leader has seen may only have come now. */
  #grown() {
    const { place, leading } = this.session;
    const waits =
      place?.chapter === this.table.chapter &&
      !place.playing &&
      !place.following &&
      !this.#stands(place);
    if (this.attached && !leading && waits && !this.applying && !this.held) this.#apply(place);
  }

  // --- From the viewer ------------------------------------------------------------------------

  /** The player has moved, or its state has changed. */
  #moved() {
    const { session } = this;
    if (!session.place || session.ended || session.place.chapter !== this.table.chapter) return;
    if (session.leading) this.#lead();
    else if (
      this.attached &&
      !this.held &&
      !this.applying &&
      this.#byHand &&
      this.#elsewhere(session.place)
    )
      this.detach();
  }

  detach() {
    if (!this.attached) return;
    this.attached = false;
    this.#tell();
    this.table.changed();
  }

  /** Whether this player no longer does what the leader's does. @param {Place} place */
  #elsewhere(place) {
    const { player } = this;
    if (this.unseen) return true;
    if ((this.table.line() ?? "") !== place.line) return true;
    if (place.following) return !player.following && !player.log.finished;
    if (player.playing !== place.playing) return true;
    if (!place.playing) return !this.#stands(place);
    const off = Math.abs(player.cursor.t - this.timeOf(place)) / (place.speed / 100);
    return (
      player.cursor.round !== place.round || off > 3 * OFF_MS || player.speed * 100 !== place.speed
    );
  }

  // --- Leading --------------------------------------------------------------------------------

  /** Sends the leader's place, now or soon. */
  #lead() {
    if (this.applying || this.going || this.left) return;
    const { playing } = this.player;
    const same = this.#key() === this.sent.key;
    const wait = playing && same && !this.#byHand ? BEAT_MS : SEND_MS;
    if (!playing && same) return;
    const left = this.sent.at + wait - this.clock.now();
    if (left <= 0) this.#send();
    else if (wait === SEND_MS && !this.waiting) {
      this.waiting = true;
      this.clock.later(left, () => {
        this.waiting = false;
        if (this.session.leading && !(this.applying || this.going || this.left)) this.#send();
      });
    }
  }

  /** The perspective has been chosen by hand. */
  looked() {
    if (this.session.leading && !this.going && !this.left) this.#send();
  }

  /** Sends the place again if it is still the last one, and unsaid. @param {string} id */
  #unheard(id) {
    const { leading, ended } = this.session;
    if (this.sent.id !== id || !leading || ended || this.going || this.left) return;
    if (this.#unsaid) this.#send();
  }

  /** What a place is besides the running clock. */
  #key() {
    const { cursor, playing, following, smart, speed } = this.player;
    const where = playing ? cursor.round : `${cursor.round}.${cursor.event}`;
    return [where, this.table.line(), playing, following, smart, speed, this.table.view()].join();
  }

  #send() {
    const { player, session, table } = this;
    const { cursor } = player;
    this.moves += 1;
    const id = `${this.prefix}${this.moves}`;
    this.sent = { id, at: this.clock.now(), key: this.#key() };
    this.viewed = String(table.view());
    this.clock.later(UNSAID_MS, () => this.#unheard(id));
    const line = table.line();
    session.say("move", {
      ...{ id, round: cursor.round, event: cursor.event, t: Math.max(Math.floor(cursor.t), 0) },
      ...(line && { line }),
      ...(table.chapter && { chapter: table.chapter }),
      ...{ playing: player.playing, following: player.following, smart: player.smart },
      ...{ speed: Math.round(player.speed * 100), view: this.viewed },
    });
  }
}
