/** A recorded match of three players, and what tests of looking back at it share. */

import { readFileSync } from "node:fs";

import "./static.js";

const { Log } = await import("../../games/static/games/match/log.js");
const { Player } = await import("../../games/static/games/match/player.js");

const FILE = new URL("../matches/valid-full-match-3.ratuki", import.meta.url);
export const LINES = readFileSync(FILE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
export const DEALS = LINES.flatMap((line, seq) => ("decks" in line ? [seq] : []));

/** The chunk of a round, from its deal to the line before the next one. @param {number} round */
export const chunk = (round) => ({
  seq: DEALS[round - 1],
  lines: LINES.slice(DEALS[round - 1], DEALS[round]),
});

export const META = DEALS.map((seq, at) => {
  const events = chunk(at + 1).lines.filter((line) => "do" in line);
  return {
    round: at + 1,
    seq,
    events: events.length,
    duration_ms: events.at(-1).t,
    finished: true,
  };
});

/** A server that answers with one round at a time, and remembers what it was asked. */
export class Server {
  constructor() {
    /** @type {string[]} */
    this.asked = [];
  }

  /** @param {string} url */
  async answer(url) {
    this.asked.push(url);
    const from = Number(new URL(url, "http://site").searchParams.get("from"));
    const round = DEALS.findLastIndex((seq) => seq <= from) + 1;
    return { next: LINES.length, finished: true, chunks: [chunk(round)] };
  }
}

/** Frames that pass only when they are asked to. */
export class Frames {
  constructor() {
    this.now = 0;
    /** @type {((now: number) => void) | null} */
    this.next = null;
  }

  /** @param {number} ms in frames of 20 ms */
  pass(ms) {
    for (let end = this.now + ms; this.now < end; ) {
      this.now += 20;
      this.next?.(this.now);
    }
  }
}

/** What the page says of the whole match beside its seats. */
export const WHOLE = { rounds: META, finished: true, result: LINES.at(-1).result };

/**
 * A log of the match, a player on it, and the frames that let it play.
 * @param {object} [more] what the page says beside the seats
 * @param {{answer: (url: string) => Promise<any>}} [server]
 */
export function opened(more = WHOLE, server = new Server()) {
  const frames = new Frames();
  const log = new Log(
    { id: "m", seats: LINES[0].seats, ...more },
    { unpack: () => ({ lines: [], timeline: null }), fetchJson: (url) => server.answer(url) },
  );
  const player = new Player(log, (step) => {
    frames.next = step;
  });
  return { log, player, frames };
}
