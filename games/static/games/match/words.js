/**
 * What happened, in plain words. No DOM.
 * @import { RoundEvent, Table } from "./fold.js"
 * @typedef {import("./perspective.js").View} View
 * @typedef {{under: string | null, taken: string[], first: {seat: number, ms: number} | null}} Context
 *   what an event met: the top card, the cards taken, who was there first
 * @typedef {{kind: string, seat: number | null, text: string}} Saying
 *   `kind`: deal, start, play, take, tie, late, miss, draw, discard, out or end
 * @typedef {{name: string, whose: string, own: string, of: string, was: string}} Person
 *   `whose` card it is for others, and for themselves; one `of` theirs
 */

import { faceOf, ownerOf, WILD } from "./fold.js";
import { seesHand } from "./perspective.js";

/** @type {Context} */
const NOTHING = { under: null, taken: [], first: null };

/** @param {RoundEvent} event */
export const isTake = (event) => event.do === "play" && event.takes !== undefined;

/**
 * What an event meets on the table before it.
 * @param {Table} table @param {RoundEvent} event
 * @param {({seat: number, t: number} | null)[]} plays the last one on each slot
 * @returns {Context}
 */
export function metBy(table, event, plays) {
  if (!("stack" in event)) return NOTHING;
  const stack = table.stacks[event.stack];
  const taken = event.do === "play" && isTake(event) ? [...stack, event.card] : [];
  const last = event.do === "late" ? plays[event.stack] : null;
  const first = last && { seat: last.seat, ms: event.t - last.t };
  return { under: stack[stack.length - 1] ?? null, taken, first };
}

/** `1:04.3`. @param {number} ms */
export function clock(ms) {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** @param {number} count @param {string} thing */
export const counted = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A number with a minus sign, never a hyphen. @param {number} value */
export const points = (value) => String(value).replace("-", "−");

/** `+3`, `−2` or `0`. @param {number} score */
export const signed = (score) => (score > 0 ? `+${score}` : points(score));

/** Slots count from 0 in the log and from 1 for people. @param {number} slot */
export const stackName = (slot) => `stack ${slot + 1}`;

/** @param {string | undefined} card @param {number} [as] */
function cardName(card, as) {
  const face = faceOf(card ?? "");
  if (!face) return "a card";
  if (face === WILD) return as ? `a wild as ${as}` : "a wild";
  return `a ${face}`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name isolated from the text direction of the sentence around it. @param {string} name */
export const apart = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** @param {string[]} names */
const listed = (names) =>
  names.length < 2
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

/** @type {Person} */
const YOU = { name: "you", whose: "your", own: "your own", of: "yours", was: "were" };

/** @param {string} name @returns {Person} */
const named = (name) => ({
  name,
  whose: `${name}’s`,
  own: "their own",
  of: `${name}’s`,
  was: "was",
});

/** Whose cards were in a taken stack. @param {string[]} cards @param {Person[]} people @param {number} taker */
function owners(cards, people, taker) {
  if (cards.every((card) => ownerOf(card) === taker)) return `all ${people[taker].own}`;
  const counts = people.map((_, seat) => cards.filter((card) => ownerOf(card) === seat).length);
  const parts = people.map(({ of }, seat) => (counts[seat] ? `${counts[seat]} of ${of}` : ""));
  return listed(parts.filter(Boolean));
}

/**
 * @param {import("./fold.js").Play} event @param {Context} met @param {Person[]} people
 * @param {boolean} past whether it is for a player's own log, which is in the past tense
 */
function play(event, met, people, past) {
  const card = cardName(event.card, event.as);
  const where = stackName(event.stack);
  if (event.takes) {
    const whose = met.taken.length ? `: ${owners(met.taken, people, event.seat)}` : "";
    const many = past ? signed(event.takes) : counted(event.takes, "card");
    return {
      kind: "take",
      text: `${past ? "took" : "takes"} ${where} with ${card}, ${many}${whose}`,
    };
  }
  if (!met.under)
    return { kind: "start", text: `${past ? "started" : "starts"} ${where} with ${card}` };
  const below = ownerOf(met.under);
  const whose = below === event.seat ? people[below].own : people[below].whose;
  return { kind: "play", text: `${past ? "played" : "plays"} ${card} on ${whose} card, ${where}` };
}

/**
 * @param {import("./fold.js").Try} event @param {Context} met @param {Person[]} people
 * @param {boolean} past
 */
function attempt(event, met, people, past) {
  const card = cardName(event.card, event.as);
  const where = stackName(event.stack);
  if (event.do === "miss")
    return `${past ? "made" : "makes"} a mistake: ${card} ${past ? "did" : "does"} not fit ${where}`;
  const is = past ? people[event.seat].was : "is";
  if (!met.first) return `${is} late with ${card} on ${where}`;
  const { name, was } = people[met.first.seat];
  return `${is} ${met.first.ms} ms late with ${card} on ${where}: ${name} ${was} first`;
}

/** @param {import("./fold.js").Tie} event @param {Person[]} people @param {boolean} past */
function tie(event, people, past) {
  const tries = event.cards.map((card, at) => {
    const after = event.after[at] ? ` (${event.after[at]} ms later)` : "";
    return `${people[ownerOf(card)].whose} ${cardName(card).replace(/^an? /, "")}${after}`;
  });
  return `tie on ${stackName(event.stack)}: ${listed(tries)} ${past ? "went" : "go"} to the discard piles`;
}

/** By the last line's reason. @type {Record<string, {title: string, why: string}>} */
const ENDINGS = {
  out: { title: "Round over", why: "" },
  blocked: { title: "Blocked", why: "nothing fits anymore" },
  stalled: { title: "Stalled", why: "no one has played for a while" },
  abandoned: { title: "Abandoned", why: "the match ended early" },
};

/** @param {string | undefined} reason */
export const ending = (reason) => ENDINGS[reason ?? "out"] ?? ENDINGS.out;

/** @param {import("./fold.js").End} event @param {Person[]} people */
function end(event, people) {
  const scores = event.scores.map((score, seat) => `${people[seat].name} ${signed(score)}`);
  const { title, why } = ending(event.reason);
  return `${[title, why].filter(Boolean).join(", ")}: ${scores.join(", ")}`;
}

/**
 * @param {RoundEvent} event @param {string[]} allNames @param {Context} [met]
 * @param {View} [view] a card hidden from this viewer stays "a card"
 * @param {number | null} [you] the seat of the player who reads it, in the past tense
 * @returns {Saying} `text` lacks the name of `seat`, which precedes it
 */
export function saying(event, allNames, met = NOTHING, view = "all", you = null) {
  const past = you !== null;
  const people = allNames.map((name, seat) => (seat === you ? YOU : named(apart(name))));
  if (event.do === "tie") return { kind: "tie", seat: null, text: tie(event, people, past) };
  if (event.do === "end") return { kind: "end", seat: null, text: end(event, people) };
  const { seat } = event;
  if (event.do === "play") return { seat, ...play(event, met, people, past) };
  if (event.do === "out") return { kind: "out", seat, text: seat === you ? "are OUT!" : "is OUT!" };
  if (event.do === "late" || event.do === "miss")
    return { kind: event.do, seat, text: attempt(event, met, people, past) };
  const card = cardName(seesHand(view, seat) ? event.card : undefined);
  const verb = past ? { draw: "drew", discard: "discarded" }[event.do] : `${event.do}s`;
  return { kind: event.do, seat, text: `${verb} ${card}` };
}

/**
 * What led to a place in a round: the last event, or its deal.
 * @param {import("./log.js").Round} round
 * @param {number} events how many have happened
 * @param {string[]} names @param {View} [view]
 * @param {number | null} [you] as in `saying`
 * @returns {Saying}
 */
export function sayingAt(round, events, names, view, you) {
  const event = round.events[events - 1];
  if (!event) return { seat: null, kind: "deal", text: `Round ${round.number}: three cards each` };
  return saying(event, names, round.timeline?.contexts[events - 1], view, you);
}

/**
 * How a match ended.
 * @param {number[]} winners @param {string[]} names
 * @param {number | null} [you] the seat of the player who reads it
 */
export function outcome(winners, names, you = null) {
  if (!winners.length) return "No one wins.";
  const own = winners.filter((seat) => seat === you);
  const others = winners.filter((seat) => seat !== you).map((seat) => apart(names[seat]));
  const who = listed([...own.map(() => "You"), ...others]);
  if (winners.length > 1) return `${who} share the win.`;
  return own.length ? "You win the match!" : `${who} wins the match.`;
}

/**
 * The whole sentence.
 * @param {Saying} said @param {string[]} names
 * @param {number | null} [you] as in `saying`
 */
export function sentence({ seat, text }, names, you = null) {
  if (seat === null) return `${capital(text)}.`;
  return `${seat === you ? "You" : apart(names[seat])} ${text}.`.replace("!.", "!");
}
