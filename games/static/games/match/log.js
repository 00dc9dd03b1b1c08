/**
 * A match's log in the browser: rounds of record lines, appended chunk by chunk. No DOM.
 *
 * The number of rounds is known at once; their lines are loaded when needed, and in the background.
 * An unfinished log is no different: its end is just not known yet.
 *
 * A log without a URL to fetch from knows only what is appended: its first rounds may be missing.
 * @import { Line, Remark, RoundEvent } from "./fold.js"
 * @import { Packed } from "./columns.js"
 * @typedef {{seq: number, packed?: Packed, lines?: Line[]}} Chunk
 * @typedef {{next: number, finished: boolean, chunks: Chunk[]}} Slice  the API's `LogSlice`
 * @typedef {(packed: Packed) => {lines: Line[], timeline: Timeline | null}} Unpack
 * @typedef {{unpack: Unpack, fetchJson: (url: string) => Promise<Slice>}} Source
 * @typedef {{round: number, seq: number, events: number, duration_ms: number, finished: boolean}} RoundMeta
 * @typedef {{id: string, seats: {name: string, kind: string, beginner?: boolean}[],
 *   rules?: import("./ranking.js").Goal, rounds?: RoundMeta[], seq?: number, finished?: boolean, result?: number[] | null,
 *   spoilers?: boolean, opening?: number, urls?: Record<string, string>}} Match  `opening`: the
 *   play before which a replay opens, 0: the first take
 */

import { Timeline } from "./timeline.js";

/** One round, as far as known. */
export class Round {
  /** @param {number} number counted from 1 @param {number} seq of its deal */
  constructor(number, seq) {
    this.number = number;
    this.seq = seq;
    /** Its fold, once it is dealt. @type {Timeline | null} */
    this.timeline = null;
    /** The seq of each event. @type {number[]} */
    this.seqs = [];
    this.finished = false;
    this.expected = { events: 0, ms: 0 };
  }

  /** @returns {readonly RoundEvent[]} */
  get events() {
    return this.timeline?.events ?? [];
  }

  /** @param {RoundEvent} event @param {number} seq */
  add(event, seq) {
    if (!this.timeline || seq <= (this.seqs[this.seqs.length - 1] ?? this.seq)) return;
    this.seqs.push(seq);
    this.finished = event.do === "end";
    if (this.timeline.events.length < this.seqs.length) this.timeline.add(event);
  }

  /** The line that it was dealt with. @returns {import("./fold.js").Deal | null} */
  get deal() {
    const table = this.timeline?.kept[0];
    if (!table) return null;
    const decks = table.hands.map((hand, seat) =>
      [...hand, ...[...table.drawPiles[seat]].reverse()].join(" "),
    );
    return { round: this.number, decks };
  }

  forget() {
    this.timeline = null;
    this.seqs = [];
  }

  get loaded() {
    return this.timeline !== null && this.events.length >= this.expected.events;
  }

  /** How it ended, or nothing. */
  get end() {
    const last = this.events[this.events.length - 1];
    return last?.do === "end" ? last : null;
  }

  /** Who has won the match with this round, if it is its last. @param {Log} log @returns {number[] | null} */
  winners(log) {
    return this === log.last ? log.result : null;
  }

  /** How many of its events are the match's: all, except along a variation. */
  get happened() {
    return Infinity;
  }

  get length() {
    return Math.max(this.events.length, this.expected.events);
  }

  get duration() {
    return Math.max(this.events[this.events.length - 1]?.t ?? 0, this.expected.ms);
  }

  /** How many events are at or before a seq. @param {number} seq */
  eventAt(seq) {
    return countUpTo(this.seqs, (own) => own, seq);
  }

  /** How many events have happened at a time. @param {number} t */
  eventBy(t) {
    return countUpTo(this.events, (event) => event.t, t);
  }
}

/** @template Item @param {readonly Item[]} rising @param {(item: Item) => number} of @param {number} value */
function countUpTo(rising, of, value) {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(rising[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Log {
  /**
   * @param {Match} match @param {Source | null} [source] where lines are fetched from. Without it
   *   the log has only appended lines
   * @param {number} [keep] how many rounds keep their lines
   */
  constructor(match, source = null, keep = Infinity) {
    this.match = match;
    this.source = source;
    this.keep = keep;
    this.rounds = (match.rounds ?? []).map(announced);
    /** @type {Remark[]} */
    this.notes = [];
    /** @type {number[] | null} */
    this.result = match.result ?? null;
    this.endHidden = match.spoilers === false;
    this.finished = !this.endHidden && Boolean(match.finished);
    /** The totals before the first known round, if the log does not say. @type {number[] | null} */
    this.carried = null;
    /** The first unknown seq. */
    this.next = 1;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    /** @type {Map<number, Promise<void>>} */
    this.fetching = new Map();
  }

  /** @param {() => void} watcher called when the log has grown */
  onGrow(watcher) {
    this.watchers.add(watcher);
  }

  /** Adds a chunk, skipping lines already known. @param {Chunk} chunk */
  append(chunk) {
    this.#add(chunk);
    this.#notify();
  }

  #notify() {
    this.watchers.forEach((watcher) => watcher());
  }

  /** @param {Chunk} chunk */
  #add(chunk) {
    const { lines, timeline = null } = chunk.packed
      ? /** @type {Source} */ (this.source).unpack(chunk.packed)
      : { lines: chunk.lines ?? [] };
    lines.forEach((line, at) => this.#line(line, chunk.seq + at, timeline));
    this.next = Math.max(this.next, chunk.seq + lines.length);
  }

  /** Removes the lines since a round's deal. They will come again. @param {number} seq */
  forgetFrom(seq) {
    this.rounds = this.rounds.filter((round) => round.seq < seq);
    this.next = this.source ? Math.min(this.next, seq) : seq;
  }

  /** Puts a round in the place of the one with its number: as a variation has it, or as it was. @param {Round} round */
  replace(round) {
    this.rounds[round.number - 1] = round;
    this.#notify();
  }

  /** The number of the first round that is known, or can be loaded. */
  get first() {
    if (this.source) return 1;
    return Math.max(this.rounds.findIndex((round) => round.timeline) + 1, 1);
  }

  /** The last round known to be dealt. @returns {Round | undefined} */
  get last() {
    return this.rounds[this.rounds.length - 1];
  }

  /** @param {Line} line @param {number} seq @param {Timeline | null} timeline of the line's round */
  #line(line, seq, timeline) {
    if ("decks" in line) this.#deal(line, seq, timeline);
    else if ("do" in line) this.roundOf(seq).add(line, seq);
    else if ("result" in line) {
      this.result = line.result;
      if (!this.endHidden) this.finished = true;
    } else if ("note" in line && seq >= this.next) this.notes.push(line.note);
    else if ("variation" in line && seq >= this.next)
      this.notes.push({ ...line.variation, variation: true });
  }

  /**
   * @param {import("./fold.js").Deal} line @param {number} seq @param {Timeline | null} timeline
   */
  #deal(line, seq, timeline) {
    for (let number = this.rounds.length + 1; number < line.round; number += 1)
      this.rounds.push(new Round(number, 0));
    this.rounds[line.round - 1] ??= new Round(line.round, seq);
    const round = this.rounds[line.round - 1];
    round.seq = seq;
    round.timeline ??= timeline ?? new Timeline(line);
    for (const before of this.rounds.slice(0, line.round - 1)) before.finished = true;
    for (const old of this.rounds.slice(0, Math.max(line.round - this.keep, 0))) old.forget();
  }

  /** The round to which a seq belongs. @param {number} seq */
  roundOf(seq) {
    const after = this.rounds.findIndex((round) => round.seq > seq);
    return this.rounds[(after < 0 ? this.rounds.length : Math.max(after, 1)) - 1];
  }

  /** The totals before a round, as far as known. @param {Round} round */
  totalsBefore(round) {
    const { end } = round;
    if (end) return end.totals.map((total, seat) => total - end.scores[seat]);
    const before = this.rounds[round.number - 2]?.end;
    return before?.totals ?? this.carried ?? this.match.seats.map(() => 0);
  }

  /** Fetches a round's lines if they are missing. @param {Round} round */
  async load(round) {
    if (!round.loaded) await this.#fetchFrom(round.seq);
  }

  async loadAll() {
    for (const round of this.rounds) await this.load(round);
  }

  /** `untilT` limits a log whose end is hidden. @param {number} [untilT] */
  async grow(untilT) {
    const before = this.next;
    const slice = this.endHidden ? `&until_t=${Math.round(untilT ?? 0)}` : "";
    await this.#fetchFrom(this.next, slice);
    return this.next > before;
  }

  /** @param {number} seq @param {string} [slice] */
  #fetchFrom(seq, slice = "") {
    if (!this.source) return Promise.resolve();
    const running = this.fetching.get(seq);
    if (running) return running;
    const url = `${this.match.urls?.log ?? "log"}?from=${seq}${slice}`;
    const request = this.source
      .fetchJson(url)
      .then((slice) => {
        for (const chunk of slice.chunks) this.#add(chunk);
        if (slice.finished) this.finished = true;
        this.#notify();
      })
      .finally(() => this.fetching.delete(seq));
    this.fetching.set(seq, request);
    return request;
  }
}

/** @param {RoundMeta} meta */
function announced(meta) {
  const round = new Round(meta.round, meta.seq);
  round.expected = { events: meta.events, ms: meta.duration_ms };
  round.finished = meta.finished;
  return round;
}
