/**
 * A site whose match happens as recorded, on a clock turned by hand: at its socket, of which there
 * may be none free, and by pieces, which caches keep for up to two seconds.
 */

import { settled } from "./handclock.js";
import { HandWire } from "./handwire.js";
import { DEALS, LINES } from "./recorded.js";

const PIECE = 64;
const RECENT_MS = 10_000;
const BREAK_MS = 4_000;
const STEP_MS = 50;

/** When each line happens; the header at 0. */
const WHEN = [0];
/** The time at which each line's round was dealt. */
const DEALT = [0];
LINES.slice(1).forEach((line) => {
  const last = WHEN.at(-1) ?? 0;
  const dealt = "decks" in line ? last + BREAK_MS : (DEALT.at(-1) ?? 0);
  DEALT.push(dealt);
  WHEN.push("t" in line ? dealt + line.t : Math.max(last, dealt));
});

/** @param {number} ms */
const endAt = (ms) => {
  const next = WHEN.findIndex((when) => when > ms);
  return next < 0 ? WHEN.length : next;
};
/** @param {number} seq */
const roundOf = (seq) => DEALS.findLastIndex((deal) => deal <= seq) + 1;

/** @param {number} seq */
function cutAfter(seq) {
  const round = roundOf(seq);
  const deal = DEALS[round - 1];
  const cut = deal + (Math.floor((seq - deal) / PIECE) + 1) * PIECE;
  return Math.min(cut, DEALS[round] ?? LINES.length);
}

/** @param {number} seq @param {number} end @param {number} now on the match's clock */
function frame(seq, end, now) {
  const lines = LINES.slice(seq, end);
  return { type: "lines", seq, round: roundOf(end - 1), now: now - DEALT[end - 1], lines };
}

/** @param {number} at */
function state(at) {
  return { type: "state", phase: "round", watching: 100, watchers: [], seats: [], at };
}

/** @param {number} at @param {number} room */
function latest(at, room) {
  const end = endAt(at);
  const deal = DEALS[roundOf(end - 1) - 1] ?? 1;
  /** @type {object[]} */
  const frames = [];
  const recent = Math.min(endAt(at - RECENT_MS), end);
  let seq = 1;
  while (seq < end && cutAfter(seq) <= recent) seq = cutAfter(seq);
  for (; seq < end; seq = Math.min(cutAfter(seq), end))
    frames.push(frame(seq, Math.min(cutAfter(seq), end), at));
  const over = end === LINES.length;
  return {
    ...{ type: "latest", epoch: 1, seq: end, deal, over, sample: 1, room },
    frames: [...frames, state(at)],
  };
}

export class CrowdSite {
  /** @param {() => number} random */
  constructor(random) {
    this.wire = new HandWire();
    this.clock = this.wire.clock;
    /** Whether there are free sockets, and pieces. */
    this.free = true;
    this.shared = true;
    /** Whether the process at the socket knows, too, that there are none. */
    this.agreed = true;
    this.reachable = true;
    this.counted = this.failed = 0;
    /** @type {string[]} */
    this.asked = [];
    this.kept = { at: -Infinity, until: -Infinity };
    /** @type {Map<any, number>} the next line for each open socket */
    this.open = new Map();
    this.random = random;
    this.world = {
      ...this.wire.world,
      random,
      ask: async (/** @type {string} */ method, /** @type {string} */ url) =>
        this.#answer(method, url),
    };
  }

  /** @param {string} method @param {string} url */
  #answer(method, url) {
    if (!this.reachable) {
      this.failed += 1;
      throw new Error("no connection");
    }
    this.asked.push(url);
    if (!this.shared) return { status: 404, data: null };
    if (method === "POST") {
      this.counted += 1;
      return { status: 204, data: null };
    }
    const now = this.clock.now();
    if (url.endsWith("latest")) {
      if (now >= this.kept.until) this.kept = { at: now, until: now + 1000 + 1000 * this.random() };
      return { status: 200, data: latest(this.kept.at, this.free ? 1000 : 0) };
    }
    const seq = Number(url.split("/").at(-1));
    const end = cutAfter(seq);
    if (end > endAt(now)) return { status: 404, data: null };
    return { status: 200, data: frame(seq, end, WHEN[end - 1]) };
  }

  /** @param {any} socket */
  #greet(socket) {
    socket.onopen();
    const { seq: asked, pieces } = socket.sent[0];
    const say = (/** @type {object} */ data) => socket.onmessage({ data: JSON.stringify(data) });
    if (pieces && !this.free && (this.shared || !this.agreed)) {
      say({ type: "bye", code: 4410, reason: "crowded", retry_ms: null, pieces: "/live/m/" });
      socket.onclose({ code: 4410, reason: "crowded" });
      return;
    }
    const end = endAt(this.clock.now());
    const deal = DEALS[roundOf(end - 1) - 1] ?? 1;
    const seq = asked && asked <= end ? asked : deal;
    say({ type: "welcome", epoch: 1, seat: null, seq, round: 1, now: 0, window: 32 });
    say(state(this.clock.now()));
    this.open.set(socket, seq);
  }

  #batch() {
    const now = this.clock.now();
    const end = endAt(now);
    for (const [socket, seq] of this.open)
      if (seq < end) {
        this.open.set(socket, end);
        socket.onmessage({ data: JSON.stringify(frame(seq, end, now)) });
      }
  }

  /** All connections break, as when a process is killed. */
  kill() {
    const sockets = [...this.open.keys()];
    this.open.clear();
    for (const socket of sockets) socket.onclose({ code: 1006, reason: "" });
  }

  /** Lets time pass. @param {number} ms @param {() => void} [each] called each 50 ms */
  async pass(ms, each = () => {}) {
    for (const end = this.clock.now() + ms; this.clock.now() < end; ) {
      this.clock.pass(STEP_MS);
      for (const socket of this.wire.sockets) {
        if (socket.greeted) continue;
        socket.greeted = true;
        socket.close = () => this.open.delete(socket);
        if (this.reachable) this.#greet(socket);
        else socket.onclose({ code: 1006, reason: "" });
      }
      if (this.clock.now() % 250 === 0) this.#batch();
      await settled();
      each();
    }
  }

  /** When a line happens. @param {number} seq */
  static when(seq) {
    return WHEN[seq];
  }

  /** How long the match lasts. */
  static get ms() {
    return WHEN.at(-1) ?? 0;
  }
}
