/**
 * Events in plain words. No DOM.
 * @import { RoundEvent, Table, View } from "./fold.js"
 * @typedef {{under: string | null, taken: string[], first: {seat: number, ms: number} | null}}
 *   Context an event's situation: the top card, the cards taken, the first seat there
 * @typedef {{kind: string, seat: number | null, text: string}} Saying  `text`: a whole sentence
 *   `kind`: deal, start, play, take, tie, late, miss, draw, discard, out or end
 * @typedef {{names: string[], you: number | null}} Readers  the names, and the seat of the player
 *   who reads it in the past tense. null: anyone, in the present.
 */

import { decimal, filled, gettext, listed, ngettext, signed } from "../words/gettext.js";
import { faceOf, ownerOf, seesHand, WILD } from "./fold.js";

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

/** A time in a round, cut to tenths of a second: `1:04.3`. `message.py` has the same. @param {number} ms */
export function clock(ms) {
  const tenths = Math.floor(ms / 100);
  return `${Math.floor(tenths / 600)}:${decimal((tenths % 600) / 10, 1).padStart(4, "0")}`;
}

/** `Round 3, 1:04.3`. @param {number} round @param {number} ms */
export const positionWords = (round, ms) =>
  gettext("Round {round}, {time}", { round, time: clock(ms) });

/** `1.5 s`. @param {number} ms */
export const seconds = (ms) => gettext("{seconds} s", { seconds: decimal(ms / 1000, 1) });

/** Slots count from 0 in the log and from 1 for people. @param {number} slot */
export const stackName = (slot) => gettext("stack {stack}", { stack: slot + 1 });

/** `5`, "wild" or, if it is hidden, "card". @param {string | undefined} card */
export function faceName(card) {
  const face = faceOf(card ?? "");
  if (!face) return gettext("card");
  return face === WILD ? gettext("wild") : String(face);
}

/** @param {string | undefined} card @param {number} [as] */
export function cardName(card, as) {
  const face = faceOf(card ?? "");
  if (!face) return gettext("a card");
  if (face !== WILD) return gettext("a {face}", { face });
  return as ? gettext("a wild as {number}", { number: as }) : gettext("a wild");
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name isolated from the text direction of the sentence around it. @param {string} name */
export const apart = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The longest name that a narrow place shows whole, in letters. */
const BRIEF = 7;
/** And a sentence. */
const SPOKEN = 12;
/** With their marks, and whatever a joiner joins. @param {string} name @returns {string[]} */
const lettersOf = (name) => name.match(/.(?:\p{M}|\p{EMod}|\u200d|(?<=\u200d).)*/gsu) ?? [];

/**
 * For narrow places: names of at most 7 letters that tell the players of a match apart. The first
 * word, the beginning, or else an initial and what differs: "R. Rabe" and "R. Rosa".
 * @param {string[]} names @param {number} [most] letters
 */
export const shortNames = (names, most = BRIEF) =>
  names.map((name, at) =>
    shortened(
      name,
      names.filter((_, other) => other !== at),
      most,
    ),
  );

/**
 * So that a few long names leave room for what a sentence says. `games/pages/words.py` has the same,
 * so that a sentence of the page's stays as it is when its script runs.
 * @param {string[]} names
 */
export const spokenNames = (names) => shortNames(names, SPOKEN);

/** @param {string} name @param {string[]} others @param {number} most */
function shortened(name, others, most) {
  const letters = lettersOf(name);
  if (letters.length <= most) return name;
  const words = name.split(" ");
  const fits = lettersOf(words[0]).length <= most;
  if (fits && words[1] && !others.some((other) => other.startsWith(words[0]))) return words[0];
  const same = Math.max(0, ...others.map((other) => sameStart(letters, lettersOf(other))));
  const room = most - 3;
  if (same < most - 1) return begun(letters, most);
  const word = letters.lastIndexOf(" ", same) + 1;
  if (word && same < word + room - 1) return `${letters[0]}. ${begun(letters.slice(word), room)}`;
  return `${letters[0]}…${letters.slice(same, same + room + 1).join("")}`;
}

/** @param {string[]} letters @param {number} most */
const begun = (letters, most) =>
  letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");

/**
 * Names in two parts: what may be cut where there is little room, and the end that tells a name
 * from others that begin like it. "Ratuki R" and "abe" beside "Ratuki Rosa".
 * @param {string[]} names @returns {[string, string][]}
 */
export const splitNames = (names) =>
  names.map((name, at) => {
    const letters = lettersOf(name);
    const others = names.filter((_, other) => other !== at);
    const same = Math.max(0, ...others.map((other) => sameStart(letters, lettersOf(other))));
    const end = same < BRIEF ? letters.length : Math.max(same, letters.length - BRIEF);
    const start = letters.slice(0, end).join("").replace(/ $/, "\u00a0"); // or it is not seen
    return [start, letters.slice(end).join("")];
  });

/** How many letters both begin with. @param {string[]} one @param {string[]} other */
function sameStart(one, other) {
  const differs = one.findIndex((letter, at) => letter !== other[at]);
  return differs < 0 ? one.length : differs;
}

/** Whose cards were in a taken stack. @param {string[]} cards @param {number} taker @param {Readers} readers */
function owners(cards, taker, { names, you }) {
  if (cards.every((card) => ownerOf(card) === taker))
    return taker === you ? gettext("all your own") : gettext("all their own");
  const counts = names.map((_, seat) => cards.filter((card) => ownerOf(card) === seat).length);
  return listed(
    counts.flatMap((count, seat) => {
      if (!count) return [];
      if (seat === you) return [ngettext("{count} of yours", "{count} of yours", count)];
      const all = { name: names[seat] };
      return [ngettext("{count} of {name}’s", "{count} of {name}’s", count, all)];
    }),
  );
}

/** An event's sentence: to its player, about another one, and about anyone in the present. */
const SENTENCES = {
  take: [
    gettext("You took stack {stack} with {card}, {won}."),
    gettext("{name} took stack {stack} with {card}, {won}."),
    gettext("{name} takes stack {stack} with {card}, in all {cards}."),
  ],
  start: [
    gettext("You started stack {stack} with {card}."),
    gettext("{name} started stack {stack} with {card}."),
    gettext("{name} starts stack {stack} with {card}."),
  ],
  play: [
    gettext("You played {card} on {below}, stack {stack}."),
    gettext("{name} played {card} on {below}, stack {stack}."),
    gettext("{name} plays {card} on {below}, stack {stack}."),
  ],
  miss: [
    gettext("You made a mistake: {card} did not fit stack {stack}."),
    gettext("{name} made a mistake: {card} did not fit stack {stack}."),
    gettext("{name} makes a mistake: {card} does not fit stack {stack}."),
  ],
  late: [
    gettext("You were late with {card} on stack {stack}."),
    gettext("{name} was late with {card} on stack {stack}."),
    gettext("{name} is late with {card} on stack {stack}."),
  ],
  beaten: [
    gettext("You were {ms} ms late with {card} on stack {stack}: {first} was first."),
    gettext("{name} was {ms} ms late with {card} on stack {stack}: {first} was first."),
    gettext("{name} is {ms} ms late with {card} on stack {stack}: {first} was first."),
  ],
  draw: [
    gettext("You drew {card}."),
    gettext("{name} drew {card}."),
    gettext("{name} draws {card}."),
  ],
  discard: [
    gettext("You discarded {card}."),
    gettext("{name} discarded {card}."),
    gettext("{name} discards {card}."),
  ],
  out: [gettext("You are OUT!"), gettext("{name} is OUT!"), gettext("{name} is OUT!")],
};

/**
 * @param {keyof typeof SENTENCES} kind @param {number} seat @param {Readers} readers
 * @param {object} [values]
 */
function sentence(kind, seat, { names, you }, values) {
  const [own, past, present] = SENTENCES[kind];
  const text = seat === you ? own : you === null ? present : past;
  return filled(text, { name: names[seat], ...values });
}

/** @param {import("./fold.js").Play | import("./fold.js").Try} event */
const cardOn = ({ stack, card, as }) => ({ stack: stack + 1, card: cardName(card, as) });

/** @param {import("./fold.js").Play} event @param {Context} met @param {Readers} readers */
function take(event, met, readers) {
  const { takes: count = 0, seat } = event;
  const whose = met.taken.length ? owners(met.taken, seat, readers) : "";
  const points = signed(count);
  const won = whose ? gettext("{points}: {whose}", { points, whose }) : points;
  const cards = ngettext("{count} card", "{count} cards", count);
  return sentence("take", seat, readers, { ...cardOn(event), won, cards });
}

/** @param {number} owner @param {number} player @param {Readers} readers */
function cardBelow(owner, player, { names, you }) {
  if (owner !== player)
    return owner === you ? gettext("your card") : gettext("{name}’s card", { name: names[owner] });
  return owner === you ? gettext("your own card") : gettext("their own card");
}

/** @param {import("./fold.js").Try} event @param {Context} met @param {Readers} readers */
function late(event, { first }, readers) {
  const { names, you } = readers;
  if (!first) return sentence("late", event.seat, readers, cardOn(event));
  const all = { ...cardOn(event), ms: first.ms, first: names[first.seat] };
  if (first.seat !== you || event.seat === you) return sentence("beaten", event.seat, readers, all);
  return gettext("{name} was {ms} ms late with {card} on stack {stack}: you were first.", {
    ...all,
    name: names[event.seat],
  });
}

/** @param {import("./fold.js").Tie} event @param {Readers} readers */
function tie(event, readers) {
  const cards = listed(event.cards.map((card, at) => tiedCard(card, event.after[at], readers)));
  const all = { stack: event.stack + 1, cards };
  return readers.you === null
    ? gettext("Tie on stack {stack}: {cards} go to the discard piles.", all)
    : gettext("Tie on stack {stack}: {cards} went to the discard piles.", all);
}

/** @param {string} card @param {number} ms after the first @param {Readers} readers */
function tiedCard(card, ms, { names, you }) {
  const owner = ownerOf(card);
  const all = { name: names[owner], face: faceName(card), ms };
  if (owner !== you)
    return ms ? gettext("{name}’s {face} ({ms} ms later)", all) : gettext("{name}’s {face}", all);
  return ms ? gettext("your {face} ({ms} ms later)", all) : gettext("your {face}", all);
}

/** By the last line's reason. @type {Record<string, {title: string, why: string}>} */
const ENDINGS = {
  out: { title: gettext("Round over"), why: "" },
  blocked: { title: gettext("Blocked"), why: gettext("Nothing fits anymore.") },
  stalled: { title: gettext("Stalled"), why: gettext("No one has played for a while.") },
  abandoned: { title: gettext("Abandoned"), why: gettext("The match ended early.") },
};

/** @param {string | undefined} reason */
export const ending = (reason) => ENDINGS[reason ?? "out"] ?? ENDINGS.out;

/** @param {import("./fold.js").End} event @param {Readers} readers */
function end({ reason, scores }, { names, you }) {
  const { title, why } = ending(reason);
  const each = names.map((name, seat) => {
    return `${seat === you ? gettext("you") : name} ${signed(scores[seat])}`;
  });
  const words = gettext("{title}: {scores}.", { title, scores: each.join(", ") });
  return why ? `${words} ${why}` : words;
}

/**
 * @param {RoundEvent} event @param {string[]} allNames @param {Context} [met]
 * @param {View} [view] a card hidden from this viewer stays "a card"
 * @param {number | null} [you] the seat of the player who reads it, in the past tense
 * @returns {Saying}
 */
export function saying(event, allNames, met = NOTHING, view = "all", you = null) {
  const readers = { names: allNames.map(apart), you };
  if (event.do === "tie") return { kind: "tie", seat: null, text: tie(event, readers) };
  if (event.do === "end") return { kind: "end", seat: null, text: end(event, readers) };
  const { seat } = event;
  if (event.do === "play") {
    if (event.takes) return { kind: "take", seat, text: take(event, met, readers) };
    if (!met.under)
      return { kind: "start", seat, text: sentence("start", seat, readers, cardOn(event)) };
    const all = { ...cardOn(event), below: cardBelow(ownerOf(met.under), seat, readers) };
    return { kind: "play", seat, text: sentence("play", seat, readers, all) };
  }
  if (event.do === "late") return { kind: "late", seat, text: late(event, met, readers) };
  if (event.do === "miss")
    return { kind: "miss", seat, text: sentence("miss", seat, readers, cardOn(event)) };
  if (event.do === "out") return { kind: "out", seat, text: sentence("out", seat, readers) };
  const card = cardName(seesHand(view, seat) ? event.card : undefined);
  return { kind: event.do, seat, text: sentence(event.do, seat, readers, { card }) };
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
  if (!event) {
    const text = gettext("Round {round}: three cards each.", { round: round.number });
    return { seat: null, kind: "deal", text };
  }
  return saying(event, names, round.timeline?.contexts[events - 1], view, you);
}

/**
 * How a match ended.
 * @param {number[]} winners @param {string[]} names
 * @param {number | null} [you] the seat of the player who reads it
 */
export function outcome(winners, names, you = null) {
  if (!winners.length) return gettext("No one wins.");
  const others = listed(winners.filter((seat) => seat !== you).map((seat) => apart(names[seat])));
  const own = you !== null && winners.includes(you);
  if (own)
    return others
      ? gettext("You share the win with {names}.", { names: others })
      : gettext("You win the match!");
  return winners.length > 1
    ? gettext("{names} share the win.", { names: others })
    : gettext("{name} wins the match.", { name: others });
}

/**
 * How a match ended, and by how much.
 * @param {number[]} winners @param {string[]} names @param {number[]} totals
 * @param {number | null} [you] the seat of the player who reads it
 */
export function victoryWords(winners, names, totals, you = null) {
  const [winner] = winners;
  if (winners.length !== 1) return outcome(winners, names, you);
  const count = totals[winner] - Math.max(...totals.filter((_, seat) => seat !== winner));
  return winner === you
    ? ngettext("You win the match by {count} point!", "You win the match by {count} points!", count)
    : ngettext(
        "{name} wins the match by {count} point.",
        "{name} wins the match by {count} points.",
        count,
        { name: apart(names[winner]) },
      );
}
