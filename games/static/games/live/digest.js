/**
 * The log's running digest, computed from this page's frames (docs/reference/fair-play.md). No DOM.
 * @import { Line, Try } from "../match/fold.js"
 * @import { Lines } from "./socket.js"
 */

import { hex } from "./salting.js";

/** For SHA-256, which browsers only have with https and not at once. @param {(n: number) => number} root  the first 32 bits of the roots' fractions, for the first primes */
function fractions(root, count = 64) {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((p) => n % p)) primes.push(n);
  return primes.map((p) => ((root(p) % 1) * 2 ** 32) | 0);
}

const ROUNDS = Int32Array.from(fractions(Math.cbrt));
const START = Int32Array.from(fractions(Math.sqrt, 8));
const words = new Int32Array(64);

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** The message with its end mark and its length in bits. @param {Uint8Array} bytes */
function padded(bytes) {
  const block = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(block.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(block.length - 4, bytes.length * 8);
  return view;
}

/** @param {DataView} view @param {number} at where the block begins */
function schedule(view, at) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
}

/** Takes the block in `words` in. @param {Int32Array} state */
function compress(state) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const sigma = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + sigma + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] += word;
  });
}

/** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256(bytes) {
  const [view, state] = [padded(bytes), START.slice()];
  for (let at = 0; at < view.byteLength; at += 64) {
    schedule(view, at);
    compress(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => {
    digest.setInt32(4 * place, word);
  });
  return new Uint8Array(digest.buffer);
}

const HIDDEN = new Set(["draw", "discard", "late", "miss"]);
/** How many digits of a digest the site sends. */
const TOLD = 32;
const encoder = new TextEncoder();

/** A line as a spectator sees it, in canonical form, from how any viewer does. @param {Line} line */
export function spectatorText(line) {
  if ("decks" in line) return JSON.stringify({ ...line, decks: line.decks.map(hidden) });
  if (!("card" in line) || !HIDDEN.has(line.do)) return JSON.stringify(line);
  const { as, ...rest } = /** @type {Try} */ (line);
  return JSON.stringify({ ...rest, card: hidden(rest.card) });
}

/** @param {string} cards */
const hidden = (cards) =>
  cards
    .split(" ")
    .map((card) => `${card[0]}?`)
    .join(" ");

/** @param {Uint8Array} before @param {string} text */
function next(before, text) {
  const line = encoder.encode(text);
  const bytes = new Uint8Array(before.length + line.length);
  bytes.set(before);
  bytes.set(line, before.length);
  return sha256(bytes);
}

/** @param {string} digits */
export const bytesOf = (digits) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export class Chain {
  constructor() {
    /** The last line that is taken in. -1: none yet. */
    this.seq = -1;
    /** @type {Uint8Array} */
    this.digest = new Uint8Array();
  }

  /**
   * Takes lines in.
   * @param {Lines} frame
   * @param {(seq: number, digits: string) => void} each  gets each line's digest
   * @returns {boolean} whether the site's digests are the same, or missing
   */
  take(frame, each) {
    if (!frame.digest) return true;
    if (frame.before && this.seq !== frame.seq - 1) this.#begin(frame, each);
    else if (frame.before && hex(this.digest) !== frame.before) return false;
    frame.lines.forEach((line, place) => {
      if (frame.seq + place !== this.seq + 1) return;
      this.seq += 1;
      this.digest = next(this.digest, spectatorText(line));
      each(this.seq, hex(this.digest));
    });
    return this.agrees(frame);
  }

  /** @param {Lines} frame @param {(seq: number, digits: string) => void} each */
  #begin(frame, each) {
    this.seq = frame.seq - 1;
    const before = frame.before ?? "";
    this.digest = bytesOf(before);
    each(this.seq, before);
  }

  /** Whether what a frame says of the last line here is so. @param {{last?: number, digest?: string}} frame */
  agrees(frame) {
    return frame.last !== this.seq || hex(this.digest).slice(0, TOLD) === frame.digest;
  }
}
