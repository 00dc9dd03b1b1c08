/**
 * A cursor on a log and the clock that moves it. No DOM. Time is injected.
 *
 * When FOLLOWING, the cursor stays at the end as the log grows. Any other movement DETACHES it, and
 * only `follow` returns to the end.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @import { Log, Round } from "./log.js"
 * @typedef {{round: number, event: number, seq: number, t: number, moment: boolean}} Cursor
 *   `round` counted from 1, `event`: how many have happened, `t`: ms in the round, `moment`: the
 *   viewer came to see the last event happen
 * @typedef {{seq: number, before?: boolean} | {round: number, t: number}
 *   | {round: number, event: number, moment?: boolean, lead?: number}} Place
 * @typedef {(cursor: Cursor) => void} Watcher
 * @typedef {(step: (now: number) => void) => void} Frames
 */

import { nextSpeed, smartFactor } from "./timeline.js";

/**
 * The races of a round, which are ties and late tries, and the places of notes on it, in order.
 * @param {Round} round
 * @param {readonly {round: number, event: number}[]} notes of the log
 * @param {ReadonlySet<string>} noted places of other notes, as `round.event`
 * @returns {number[]} after so many events
 */
export function racesAndNotes(round, notes, noted) {
  const prefix = `${round.number}.`;
  const inLog = notes.filter((note) => note.round === round.number).map((note) => note.event);
  const beside = [...noted]
    .filter((place) => place.startsWith(prefix))
    .map((place) => Number(place.slice(prefix.length)));
  return [...(round.timeline?.races ?? []), ...inLog, ...beside].sort((a, b) => a - b);
}

/** A frame that skips more events than this jumps instead of stepping. */
const WALK = 6;

/**
 * Whether the events between two places of a log are seen one by one.
 * @param {{round: number, event: number} | null} before @param {{round: number, event: number}} now
 */
export const isNear = (before, now) =>
  before?.round === now.round && Math.abs(now.event - before.event) <= WALK;

/** How long, in ms, the clock rests after a finished round. */
const REST = 2500;
/** How long before an event is right before it. */
const BEFORE = 1;
/** More of a log with a hidden end is requested when less than this is left. */
const AHEAD = 8000;
const SLICE = 30000;
const LONGEST_FRAME = 250;

export class Player {
  /**
   * @param {Log} log
   * @param {Frames} frames calls back before the next frame, with the time in ms
   */
  constructor(log, frames) {
    this.log = log;
    this.frames = frames;
    /** @type {Cursor} */
    this.cursor = { round: 1, event: 0, seq: log.rounds[0]?.seq ?? 1, t: 0, moment: false };
    /** The cursor's round. A reloaded round is a new object. @type {Round | null} */
    this.stood = null;
    this.playing = false;
    this.following = false;
    this.smart = false;
    this.speed = 1;
    this.rested = 0;
    /** From where, and when, more of a log with a hidden end was requested. */
    this.asked = -1;
    this.askedAt = 0;
    /** Positions of notes that are not in the log, as `round.event`. @type {ReadonlySet<string>} */
    this.noted = new Set();
    /** The viewer's last request: an answer to an earlier one moves nothing. */
    this.latest = Symbol();
    /** How many requests are waiting for the network. */
    this.waiting = 0;
    /** @type {Set<Watcher>} */
    this.watchers = new Set();
    /** @type {Set<() => void>} */
    this.stateWatchers = new Set();
    log.onGrow(() => this.#grown());
  }

  /**
   * @param {Watcher} watcher called whenever the cursor has moved
   * @returns {() => void} stops it
   */
  onChange(watcher) {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** @param {() => void} watcher called when playing, speed, tempo or following change */
  onState(watcher) {
    this.stateWatchers.add(watcher);
  }

  /** @returns {Round | undefined} */
  get round() {
    return this.log.rounds[this.cursor.round - 1];
  }

  get table() {
    return this.round?.timeline?.tableAt(this.cursor.event) ?? null;
  }

  get event() {
    return this.round?.events[this.cursor.event - 1] ?? null;
  }

  get atEnd() {
    const { round, event } = this.cursor;
    return round >= this.log.rounds.length && event >= (this.round?.length ?? 0);
  }

  /** Whether the cursor is not at the end, nor following it. */
  get detached() {
    return !this.following && !(this.log.finished && this.atEnd);
  }

  /** The time to show: that of the position or, right before an event, when that happens. */
  get time() {
    const { event, t } = this.cursor;
    const next = this.round?.events[event];
    return next && next.t - t <= BEFORE ? next.t : t;
  }

  /** How much play, in ms, there is between the cursor and the last known line. */
  get behind() {
    const { round, t } = this.cursor;
    const later = this.log.rounds.slice(round).reduce((sum, next) => sum + next.duration, 0);
    return Math.max((this.round?.duration ?? 0) - t, 0) + later;
  }

  /**
   * Goes to a place, fetching its round if necessary. Detaches.
   * @param {Place} place
   * @returns {Promise<boolean>} whether the cursor is there: not if there is no such place, or if
   *   the viewer has asked for another one meanwhile
   */
  async goTo(place) {
    if (this.following) {
      this.following = false;
      this.#state();
    }
    const latest = Symbol();
    this.latest = latest;
    while (!this.#knows(place) && this.latest === latest && (await this.#more()));
    const round = "seq" in place ? this.log.roundOf(place.seq) : this.log.rounds[place.round - 1];
    if (round && !round.loaded) {
      this.waiting += 1;
      this.#state();
      await this.log.load(round);
      this.waiting -= 1;
      this.#state();
    }
    if (!round || this.latest !== latest) return false;
    this.#stand(round, place);
    return true;
  }

  /** Right before a line, at its time. @param {number} seq */
  goBefore(seq) {
    return this.goTo({ seq, before: true });
  }

  /** While it stands still: at the last event's time, which has what is written here. */
  async settle() {
    const { round, event, t } = this.cursor;
    const own = this.round?.events[event - 1]?.t ?? 0;
    if (t !== own && !this.playing && !this.following) await this.goTo({ round, event });
  }

  /** Plays from a place, as with `goTo`, unless there is a newer request. @param {Place} place */
  async playFrom(place) {
    this.pause();
    const there = await this.goTo(place);
    if (there) this.play();
    return there;
  }

  /** Whether the log reaches a place. One with a known end always does. @param {Place} place */
  #knows(place) {
    const { endHidden, finished, next, rounds } = this.log;
    if (!endHidden || finished) return true;
    if ("seq" in place) return next > place.seq;
    const round = rounds[place.round - 1];
    if (!round || round.finished) return Boolean(round) || place.round < rounds.length;
    return "t" in place ? round.duration >= place.t : round.events.length >= place.event;
  }

  /** Loads one more slice of a log with a hidden end. Returns whether there was one. */
  async #more() {
    const { last } = this.log;
    if (!this.log.endHidden || this.log.finished) return false;
    const from =
      !last || last.finished ? 0 : Math.max(last.duration, this.round === last ? this.cursor.t : 0);
    return this.log.grow(from + SLICE);
  }

  /** @param {Round} round @param {Place} place */
  #stand(round, place) {
    if ("seq" in place) {
      const event = round.eventAt(place.seq - Number(place.before ?? false));
      const t = round.events[event - 1]?.t ?? 0;
      const next = place.before ? round.events[event] : undefined;
      this.#at(round, event, Math.max(t, (next?.t ?? 0) - BEFORE));
    } else if ("event" in place) {
      const event = Math.min(Math.max(place.event, 0), round.events.length);
      this.#at(round, event, round.events[event - 1]?.t ?? 0, place.moment);
    } else this.#at(round, round.eventBy(place.t), Math.min(Math.max(place.t, 0), round.duration));
  }

  /** @param {Round} round @param {number} event @param {number} [t] @param {boolean} [moment] */
  #at(round, event, t = round.events[event - 1]?.t ?? 0, moment = false) {
    this.stood = round;
    const seq = event ? round.seqs[event - 1] : round.seq;
    this.cursor = { round: round.number, event, t, seq, moment };
    this.watchers.forEach((watcher) => watcher(this.cursor));
  }

  /** @param {number} by */
  stepEvent(by) {
    const { round, event } = this.cursor;
    const next = event + by;
    if (next < 0 && round > this.log.first) return this.goTo({ round: round - 1, event: Infinity });
    if (next > (this.round?.length ?? 0) && this.round?.finished)
      return this.goTo({ round: round + 1, event: 0 });
    return this.goTo({ round, event: Math.max(next, 0) });
  }

  /** @param {number} ms */
  stepTime(ms) {
    const { round, t } = this.cursor;
    const next = t + ms;
    if (next < 0 && round > this.log.first)
      return this.goTo({
        round: round - 1,
        t: Math.max(this.log.rounds[round - 2].duration + next, 0),
      });
    if (next > (this.round?.duration ?? 0) && round < this.log.rounds.length)
      return this.goTo({ round: round + 1, t: 0 });
    return this.goTo({ round, t: Math.max(next, 0) });
  }

  /** @param {number} by */
  stepRound(by) {
    const { round, event } = this.cursor;
    if (by < 0 && event > 0) return this.goTo({ round, event: 0 });
    const last = this.log.endHidden ? Infinity : this.log.rounds.length;
    return this.goTo({ round: Math.min(Math.max(round + by, this.log.first), last), event: 0 });
  }

  /** @param {number} by */
  stepTake(by) {
    return this.#seek(by, (round) => round.timeline?.takes ?? []);
  }

  /** Notes count as stops too. @param {number} by */
  stepRace(by) {
    return this.#seek(by, (round) => racesAndNotes(round, this.log.notes, this.noted));
  }

  /**
   * Goes to the next stop in a direction, across rounds if necessary.
   * @param {number} by @param {(round: Round) => number[]} stops
   */
  async #seek(by, stops) {
    const latest = Symbol();
    this.latest = latest;
    let from = this.cursor.event;
    for (
      let number = this.cursor.round;
      number >= this.log.first && number <= this.log.rounds.length;
      number += by
    ) {
      const round = this.log.rounds[number - 1];
      await this.log.load(round);
      if (this.latest !== latest) return;
      const beyond = stops(round).filter((event) => (by > 0 ? event > from : event < from));
      if (beyond.length) {
        await this.goTo({
          round: number,
          event: beyond[by > 0 ? 0 : beyond.length - 1],
          moment: true,
        });
        return;
      }
      from = by > 0 ? -1 : Infinity;
    }
    const more = by > 0 && (await this.#more());
    if (more && this.latest === latest) await this.#seek(by, stops);
  }

  home() {
    return this.goTo({ round: this.log.first, event: 0 });
  }

  end() {
    const { last } = this.log;
    return last ? this.goTo({ round: last.number, event: last.length }) : Promise.resolve(true);
  }

  /** Returns to the end and stays there as the log grows, unless the viewer goes elsewhere meanwhile. */
  async follow() {
    if (!(await this.end())) return;
    this.following = !this.log.finished;
    this.#state();
  }

  /** The log has grown: move along if following, stay if detached. A round may be shorter now. */
  #grown() {
    const { round } = this;
    const { last } = this.log;
    if (this.following && last?.loaded && !this.atEndOf(last)) this.#at(last, last.events.length);
    else if (round?.loaded && this.cursor.event > round.events.length)
      this.#at(round, round.events.length);
    if (this.log.finished) this.following = false;
    this.#state();
  }

  /** @param {Round} round */
  atEndOf(round) {
    return this.stood === round && this.cursor.event === round.events.length;
  }

  toggle() {
    if (!this.playing && !this.following) return this.play();
    this.playing = this.following = false;
    this.#state();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#state();
  }

  play() {
    if (this.playing) return;
    this.playing = true;
    this.rested = 0;
    this.following = false;
    if (this.atEnd && this.log.finished) this.home();
    this.#state();
    this.frames((now) => this.#frame(now, now));
  }

  /** @param {number} by */
  changeSpeed(by) {
    this.speed = nextSpeed(this.speed, by);
    this.#state();
  }

  /** @param {number} speed one of `SPEEDS` @param {boolean} smart */
  setSpeed(speed, smart) {
    this.speed = speed;
    this.smart = smart;
    this.#state();
  }

  /** @param {boolean} smart */
  setSmart(smart) {
    this.smart = smart;
    this.#state();
  }

  #state() {
    this.stateWatchers.forEach((watcher) => watcher());
  }

  /** @param {number} now @param {number} before */
  #frame(now, before) {
    if (!this.playing) return;
    this.#advance(Math.min(now - before, LONGEST_FRAME));
    this.frames((next) => this.#frame(next, now));
  }

  /** @param {number} elapsed real ms since the last frame */
  #advance(elapsed) {
    const { round } = this;
    if (!round?.loaded) return;
    const { event, t } = this.cursor;
    const factor = this.smart ? smartFactor(round, event, t) : 1;
    const ahead = t + elapsed * this.speed * factor;
    // The clock stops at the end of a round, however long the last frame was.
    const next = round.finished && t < round.duration ? Math.min(ahead, round.duration) : ahead;
    if (event >= round.events.length) this.#pastEnd(round, elapsed, next);
    else this.#at(round, round.eventBy(next), next);
    if (round.duration - next < AHEAD * this.speed) this.#ask();
  }

  /** @param {Round} round @param {number} elapsed @param {number} next */
  #pastEnd(round, elapsed, next) {
    if (!round.finished) {
      // In a slice of a longer log the clock may run on.
      if (this.log.endHidden) this.#at(round, round.events.length, next);
      return;
    }
    this.rested += elapsed * Math.max(this.speed, 1);
    if (this.rested < REST) return;
    this.rested = 0;
    const following = this.log.rounds[round.number];
    if (following) this.goTo({ round: following.number, event: 0 });
    else if (this.log.finished) this.pause();
    else this.#ask();
  }

  /** Requests the next slice in time, and not again until the clock has come closer. */
  async #ask() {
    const { next } = this.log;
    if (this.asked === next && this.cursor.t < this.askedAt + AHEAD / 2) return;
    this.asked = next;
    this.askedAt = this.cursor.t;
    await this.#more();
  }
}
