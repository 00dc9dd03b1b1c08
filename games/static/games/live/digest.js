/**
 * The log's running digest, computed from this page's frames (docs/reference/fair-play.md). No DOM.
 * @import { Line, Try } from "../match/fold.js"
 * @import { Lines } from "./socket.js"
 */

import { hex } from "./salting.js";
import { sha256 } from "./sha256.js";

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
