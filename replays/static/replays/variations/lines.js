/**
 * Variations as a tree beside the mainline, and a round along one of them. No DOM, no rules.
 *
 * A variation is a log too: the events up to the branch, then its own events. So anything that
 * shows a round can show a `VariedRound`.
 * @import { Deal, RoundEvent } from "../../games/match/fold.js"
 * @typedef {{key: string, round: number, event: number, line: string | null, events: RoundEvent[],
 *   by: string, text: string, html?: string, tags: string[], order: number, mine: boolean,
 *   recorded: boolean, visibility: string, readers: string[], revision: number | null,
 *   token?: string}} Line `event`: how many events come before it along `line`, its parent, or
 *   along the mainline. `recorded`: it is in the match's own record. `revision`: null until the
 *   server has it.
 * @typedef {Line & {edit?: number, account?: string, removed?: boolean, restoring?: boolean,
 *   trouble?: string}} Own `edit`: how often it was changed here. `account`: whose it is, empty for
 *   a guest's. `trouble`: why the server rejects it.
 * @typedef {{id: string, round: number, event: number, line?: string, events: any[], text: string,
 *   tags: string[]}} RecordVariation  a variation as in a record
 * @typedef {import("../../games/match/ranking.js").Goal} Goal
 * @typedef {{t: number, score: number[], taken: number[]}} Standing
 * @typedef {{standings: Standing[], ended: boolean}} Side
 * @typedef {{happened: Side, instead: Side, from: number}} Comparison `from`: ms in the round
 */

import { Round } from "../../games/match/log.js";
import { gainOf, winnersOf } from "../../games/match/ranking.js";
import { Timeline } from "../../games/match/timeline.js";
import { clock } from "../../games/match/words.js";
import { gettext, ngettext, signed } from "../../games/words/gettext.js";
import { Kept } from "../outbox/kept.js";

const NAME_LENGTH = 60;

/** With all fields. @param {Partial<Line> & Pick<Line, "key" | "round" | "event">} given @returns {Line} */
export const lineOf = (given) => ({
  ...{ line: null, events: [], by: "", text: "", tags: [], order: 0, mine: false },
  ...{ recorded: false, visibility: "self", readers: [], revision: null },
  ...given,
});

/** The round of a match, along a variation. */
export class VariedRound extends Round {
  /**
   * @param {Round} mainline loaded up to the branch
   * @param {Line[]} chain ancestors first, the variation last
   */
  constructor(mainline, chain) {
    super(mainline.number, mainline.seq);
    this.mainline = mainline;
    this.timeline = new Timeline(/** @type {Deal} */ (mainline.deal));
    const [root] = chain;
    this.branch = root.event;
    const before = root.event ? mainline.seqs[root.event - 1] : mainline.seq;
    const own = eventsAlong(chain);
    mainline.events.slice(0, root.event).forEach((event) => this.timeline?.add(event));
    own.forEach((event) => this.timeline?.add(event));
    // Its own events have no place in the log. They come after the last event before the branch.
    this.seqs = [
      ...mainline.seqs.slice(0, root.event),
      ...own.map((_, at) => before + (at + 1) / (own.length + 1)),
    ];
  }

  /** The match may end otherwise here, or not yet. @param {import("../../games/match/log.js").Log} log */
  winners({ match: { rules } }) {
    return this.end && rules ? winnersOf(this.number, this.end, rules) : null;
  }

  get happened() {
    return this.branch;
  }

  /**
   * Later lines of the log belong to the mainline.
   * @param {RoundEvent} event @param {number} seq
   */
  add(event, seq) {
    this.mainline.add(event, seq);
  }
}

/** How many events a variation's line has, including those before the branch. @param {Line} line */
export const lengthOf = (line) => line.event + line.events.length;

/** Earliest first, or none. @param {Map<string, Line>} lines @param {string | null} key */
export function chainOf(lines, key) {
  /** @type {Line[]} */
  const chain = [];
  for (let next = key; next !== null; ) {
    const line = lines.get(next);
    if (!line || chain.includes(line)) return [];
    chain.unshift(line);
    next = line.line;
  }
  return chain;
}

/** All events since a chain left the mainline. @param {Line[]} chain @returns {RoundEvent[]} */
export function eventsAlong(chain) {
  const [root] = chain;
  return chain.reduce(
    (events, line) => [...events.slice(0, line.event - root.event), ...line.events],
    /** @type {RoundEvent[]} */ ([]),
  );
}

/**
 * When a variation leaves the line that it branches from, in ms of the round.
 * @param {Map<string, Line>} lines @param {Line} line
 * @param {Round} mainline as far as known
 */
export function branchTime(lines, line, mainline) {
  const above = chainOf(lines, line.line);
  const [root] = above;
  const along = root
    ? [...mainline.events.slice(0, root.event), ...eventsAlong(above)]
    : mainline.events;
  return along[line.event - 1]?.t ?? 0;
}

/** Variations as lines of a version 2 record. @param {Line[]} chain */
export const sent = (chain) =>
  chain.map(({ key, round, event, line, events }) => ({
    id: key,
    round,
    event,
    ...(line !== null && { line }),
    events,
  }));

/**
 * The variations in the record itself.
 * @param {import("../../games/match/fold.js").Remark[]} notes of the log
 * @returns {Line[]}
 */
export const recorded = (notes) =>
  /** @type {any[]} */ (notes.filter((note) => note.variation)).map((line, at) =>
    lineOf({
      ...line,
      ...{ key: line.id ?? `record-${at + 1}`, recorded: true, visibility: "everyone" },
    }),
  );

/** A variation's name: its first words. @param {Line} line */
export function nameOf(line) {
  const first = line.text.split("\n", 1)[0].trim();
  if (first) return first.length > NAME_LENGTH ? `${first.slice(0, NAME_LENGTH - 1)}…` : first;
  return ngettext("What if: {count} event", "What if: {count} events", line.events.length);
}

/** Its author and name, as the table shows them. @param {Line} line */
export const titleOf = (line) =>
  line.mine || !line.by ? gettext("What if") : gettext("What-if by {by}", { by: line.by });

/** By round, then as their owners have ordered them, then by place. @param {Map<string, Line>} lines */
const inOrder = (lines) =>
  [...lines.values()].sort(
    (a, b) => a.round - b.round || (a.order ?? 0) - (b.order ?? 0) || a.event - b.event,
  );

/** With itself, in order. @param {Map<string, Line>} lines @param {Line} line */
export const siblingsOf = (lines, line) =>
  inOrder(lines).filter((sibling) => sibling.line === line.line && sibling.round === line.round);

/**
 * The variations in tree order, each below the one it branches from.
 * @param {Map<string, Line>} lines @returns {{line: Line, depth: number}[]}
 */
export function treeOf(lines) {
  const all = inOrder(lines);
  /** @param {string | null} parent @param {number} depth @returns {{line: Line, depth: number}[]} */
  const below = (parent, depth) =>
    all
      .filter((line) => line.line === parent && depth <= 16)
      .flatMap((line) => [{ line, depth }, ...below(line.key, depth + 1)]);
  return below(null, 0);
}

/** @param {string} match @param {Storage} storage @returns {Kept<Own>} */
export const draftsOf = (match, storage) => new Kept(`what-if.${match}`, storage);

/**
 * Keeps variations made elsewhere as drafts in this browser. The replay page shows and saves them.
 * @param {string} match
 * @param {string} account whose they are. Empty for a guest's
 * @param {RecordVariation[]} given as lines of a record, each with its id
 * @param {Storage} storage
 * @returns {boolean} whether there was room for all of them
 */
export function keepDraft(match, account, given, storage) {
  const drafts = draftsOf(match, storage);
  return given.every(({ id, round, event, line = null, events, text, tags = [] }) => {
    const own = { key: id, round, event, line, events, text, tags, mine: true, edit: 1, account };
    return drafts.write(/** @type {Own} */ (own));
  });
}

/** @param {Round} round @param {number} event @param {Goal} goal @returns {Standing[]} */
function standings(round, event, goal) {
  const { timeline } = round;
  if (!timeline) return [];
  return Array.from({ length: round.events.length - event + 1 }, (_, at) => {
    const table = timeline.tableAt(event + at);
    const score = table.hands.map((_, seat) => gainOf(table, seat, goal));
    const taken = table.scorePiles.map((pile) => pile.length);
    return { t: table.t, score, taken };
  });
}

/** @param {Round} round @param {number} event @param {Goal} goal @returns {Side} */
const sideOf = (round, event, goal) => ({
  standings: standings(round, event, goal),
  ended: round.events.at(-1)?.do === "end",
});

/**
 * The two ways from where they part: to the end of the round if the variation gets there, otherwise
 * as far as the variation goes.
 * @param {Round} mainline @param {Round} varied
 * @param {number} event where they part
 * @param {Goal} goal @returns {Comparison}
 */
export function compare(mainline, varied, event, goal) {
  const happened = sideOf(mainline, event, goal);
  const instead = sideOf(varied, event, goal);
  return { happened, instead, from: instead.standings[0]?.t ?? 0 };
}

/** The standing at a time. @param {Side} side @param {number} t @returns {Standing} */
export const standingBy = ({ standings }, t) =>
  standings.findLast((standing) => standing.t <= t) ?? standings[0];

/**
 * Both ways when the variation is at `t`. If that is its round's end, it is compared with the end
 * of the match's round, whenever that was.
 * @param {Comparison} comparison @param {number} t
 */
function bothAt({ happened, instead }, t) {
  const end = instead.ended && happened.ended && t >= (instead.standings.at(-1)?.t ?? 0);
  const until = end ? Infinity : t;
  return { was: standingBy(happened, until), is: standingBy(instead, until), end };
}

/**
 * The difference in a sentence: "At 0:34.1: Bea +4, Ann −3 compared with what happened."
 * @param {Comparison} comparison @param {number} t @param {string[]} names
 */
export function differenceWords(comparison, t, names) {
  const { happened } = comparison;
  const known = happened.ended || (happened.standings.at(-1)?.t ?? 0) >= t;
  if (!known)
    return gettext("What happened is not shown that far, so the two can’t be compared yet.");
  const { was, is, end } = bothAt(comparison, t);
  const when = end ? gettext("At the round’s end") : gettext("At {time}", { time: clock(t) });
  const changes = changesIn(was.score, is.score, names);
  if (changes) return gettext("{when}: {changes} compared with what happened.", { when, changes });
  const cards = changesIn(was.taken, is.taken, names);
  return cards
    ? gettext("{when}: the same points as in the match. Cards taken: {cards}.", { when, cards })
    : gettext("{when}: the same points as in the match.", { when });
}

/** Who has more or less, the most first. @param {number[]} was @param {number[]} is @param {string[]} names */
function changesIn(was, is, names) {
  return names
    .map((name, seat) => ({ name, by: is[seat] - was[seat] }))
    .filter(({ by }) => by)
    .sort((a, b) => b.by - a.by)
    .map(({ name, by }) => `${name} ${signed(by)}`)
    .join(", ");
}
