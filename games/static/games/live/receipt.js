/**
 * This browser's evidence of a match that it plays or watches, to compare the record with later: a
 * digest after each line, and its own actions with their answers. No DOM.
 *
 * It reports at once when the site's data are inconsistent.
 * @import { StateFrame } from "frames"
 * @import { Deal, Line } from "../match/fold.js"
 * @import { Act, Answer, Frame, Lines } from "./socket.js"
 * @typedef {{id: string, round: number, do: string, card?: string, stack?: number, as?: number,
 *   t?: number, seq?: number, refused?: string}} Action
 * @typedef {{receipt: 1, match: string, seat: number | null, seq: number, digest: string,
 *   digests: [number, string][], actions: Action[]}} Json  the file
 */

import { parsed, stored } from "../dom/storage.js";
import { gettext } from "../words/gettext.js";
import { bytesOf, Chain, sha256 } from "./digest.js";
import { hex } from "./salting.js";

/** Digits that are kept of each line's digest. */
const SHORT = 8;
/** More lines and actions than this are not kept: the oldest go. */
export const MOST_LINES = 20_000;
export const MOST_ACTIONS = 5_000;

export class Receipt {
  /** @param {string} match @param {number | null} seat @param {Json | null} [kept] what an earlier page kept */
  constructor(match, seat, kept = null) {
    this.match = match;
    this.seat = seat;
    this.chain = new Chain();
    this.seq = kept?.seq ?? 0;
    this.digest = kept?.digest ?? "";
    /** @type {Map<number, string>} */
    this.digits = new Map(kept ? spread(kept.digests) : []);
    /** @type {Map<string, Action>} */
    this.actions = new Map(kept?.actions.map((action) => [action.id, action]));
    /** The own actions whose lines are still to come, by seq. @type {Map<number, Action>} */
    this.coming = new Map();
    /** The inconsistency, in words. Empty if there is none. */
    this.trouble = "";
    this.checked = 0;
    this.commit = { round: 0, value: "" };
    /** The own salt that the host has for a commitment. */
    this.salt = { commit: "", value: "" };
  }

  /** Takes in what the site says. @param {Frame} frame */
  hear(frame) {
    if (frame.type === "lines") this.#lines(frame);
    else if (frame.type === "ack" || frame.type === "refused") this.#answer(frame);
    else if (frame.type === "state") this.#state(frame);
  }

  /** Takes in what this page asks for. @param {Act} frame */
  ask({ id, round, do: what, card, stack, as }) {
    const action = { id, round, do: what, card, stack, as };
    this.actions.set(id, JSON.parse(JSON.stringify(action)));
    forgetOldest(this.actions, MOST_ACTIONS);
  }

  /** @param {Lines} frame */
  #lines(frame) {
    frame.lines.forEach((line, place) => {
      if ("decks" in line) this.#deal(line);
      const mine = this.coming.get(frame.seq + place);
      if (mine) this.#became(mine, line, frame.seq + place);
    });
    const same = this.chain.take(frame, (seq, digits) => this.#note(seq, digits));
    if (!same)
      this.#differs(
        gettext("The digest of line {line} is not that of what was sent.", {
          line: (frame.last ?? 0) + 1,
        }),
      );
    if (!frame.digest) return;
    this.checked = this.chain.seq;
    [this.seq, this.digest] = [frame.last ?? 0, frame.digest];
  }

  /** @param {number} seq @param {string} digits */
  #note(seq, digits) {
    const short = digits.slice(0, SHORT);
    if ((this.digits.get(seq) ?? short) !== short)
      this.#differs(gettext("Line {line} is not what was sent before.", { line: seq + 1 }));
    this.digits.set(seq, short);
    forgetOldest(this.digits, MOST_LINES);
  }

  /** The host has this page's salt. @param {string} commit @param {string} value */
  salted(commit, value) {
    this.salt = { commit, value };
  }

  /** @param {Deal} deal */
  #deal({ round, fair }) {
    if (!fair) return;
    const { commit, salt } = this;
    if (salt.commit === fair.commit && salt.value !== fair.salts[this.seat ?? -1])
      this.#differs(gettext("Round {round} was not dealt with the salt that you sent.", { round }));
    if (commit.round === round && commit.value !== fair.commit)
      this.#differs(
        gettext("Round {round} was dealt from another seed than the one committed to.", { round }),
      );
  }

  /** @param {StateFrame} frame */
  #state({ commit, round, revealed }) {
    if (revealed && hex(sha256(bytesOf(revealed.seed))) !== revealed.commit)
      this.#differs(gettext("The seed that was thrown away is not the one committed to."));
    if (revealed?.commit === this.commit.value) this.commit = { round: 0, value: "" };
    if (commit) this.commit = { round: round + 1, value: commit };
  }

  /** @param {Answer} frame */
  #answer(frame) {
    const action = this.actions.get(frame.id);
    if (!action) return;
    if (frame.type === "refused") {
      action.refused = frame.rule;
      if (frame.t !== null && frame.t !== undefined) action.t = frame.t;
    } else {
      action.seq = frame.seq;
      this.coming.set(frame.seq, action);
    }
    if (!this.chain.agrees(frame))
      this.#differs(gettext("The server’s reply doesn’t match the log."));
  }

  /** An own action is a line now. @param {Action} action @param {Line} line @param {number} seq */
  #became(action, line, seq) {
    this.coming.delete(seq);
    const tied = "cards" in line ? line.cards.indexOf(action.card ?? "") : -1;
    const mine = tied >= 0 || ("seat" in line && line.seat === this.seat);
    if (!mine)
      this.#differs(
        gettext("Line {line} is not the action that it was said to be.", { line: seq + 1 }),
      );
    if ("t" in line) action.t = line.t + ("cards" in line ? (line.after[tied] ?? 0) : 0);
    if ("card" in line) action.card = line.card;
  }

  /** @param {string} words */
  #differs(words) {
    this.trouble ||= words;
  }

  /** @returns {Json} the file */
  json() {
    return {
      receipt: 1,
      match: this.match,
      seat: this.seat,
      seq: this.seq,
      digest: this.digest,
      digests: gathered(this.digits),
      actions: [...this.actions.values()],
    };
  }
}

/** @template K, V @param {Map<K, V>} map @param {number} most */
function forgetOldest(map, most) {
  if (map.size > most) map.delete(/** @type {K} */ (map.keys().next().value));
}

/** Each line's digits, from runs of lines. @param {[number, string][]} runs @returns {[number, string][]} */
function spread(runs) {
  return runs.flatMap(([first, digits]) =>
    (digits.match(/.{8}/g) ?? []).map(
      (digest, place) => /** @type {[number, string]} */ ([first + place, digest]),
    ),
  );
}

/** Runs of lines that follow each other. @param {Map<number, string>} digits @returns {[number, string][]} */
function gathered(digits) {
  /** @type {[number, string][]} */
  const runs = [];
  let next = -1;
  for (const [seq, digest] of [...digits].sort(([a], [b]) => a - b)) {
    if (seq === next) runs[runs.length - 1][1] += digest;
    else runs.push([seq, digest]);
    next = seq + 1;
  }
  return runs;
}

const NAME = "ratuki.receipt.";
const ORDER = "ratuki.receipts";
export const MOST_KEPT = 12;

/** The receipt of a match, if it is kept. @param {Storage} storage @param {string} match @returns {Json | null} */
export const keptReceipt = (storage, match) => parsed(storage.getItem(NAME + match));

/** The matches whose receipts are kept, the oldest first. @param {Storage} storage @returns {string[]} */
function matchesKept(storage) {
  const kept = parsed(storage.getItem(ORDER));
  return Array.isArray(kept) ? kept : [];
}

/** All receipts, the newest first. @param {Storage} storage */
export const keptReceipts = (storage) =>
  matchesKept(storage)
    .toReversed()
    .flatMap((match) => keptReceipt(storage, match) ?? []);

/**
 * Keeps a receipt, and drops the oldest. Without room, it is not kept.
 * @param {Storage} storage @param {Json} receipt
 * @returns {boolean} whether it is kept
 */
export function keepReceipt(storage, receipt) {
  const others = matchesKept(storage).filter((match) => match !== receipt.match);
  const matches = [...others, receipt.match];
  for (const gone of matches.splice(0, Math.max(0, matches.length - MOST_KEPT)))
    storage.removeItem(NAME + gone);
  return (
    stored(storage, ORDER, JSON.stringify(matches)) &&
    stored(storage, NAME + receipt.match, JSON.stringify(receipt))
  );
}
