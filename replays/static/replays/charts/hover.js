/**
 * The text for the point under the pointer. A figure has each point's seq and numbers. The
 * sentences are those of the events' list. No DOM.
 * @typedef {import("../../games/match/log.js").Log} Log
 * @typedef {import("./chartstyle.js").Figure} Figure
 */

import { clock, sayingAt } from "../../games/match/words.js";
import { gettext, ngettext, signed } from "../../games/words/gettext.js";
import { escaped } from "./chartstyle.js";
import { SIGNS } from "./fitting.js";

/** Each seat's number, in the order of the key. @param {(number | string)[]} values */
const standings = (values) => values.map((value, seat) => `${SIGNS[seat]} ${value}`).join("  ");

/**
 * A chart's own text for a point's numbers.
 * @type {Record<string, (values: number[], over: boolean) => string>}
 */
const NUMBERS = {
  ownership: ([count, ...middle], over) => {
    const cards = standings(middle);
    if (over) return gettext("Left in the center: {cards}", { cards });
    return ngettext(
      "{count} card high. In the center: {cards}",
      "{count} cards high. In the center: {cards}",
      count,
      { cards },
    );
  },
  scores: (values, over) => {
    const scores = standings(values.map(signed));
    return over
      ? gettext("Scores: {scores}", { scores })
      : gettext("If it ended now: {scores}", { scores });
  },
};

/**
 * The same for rounds of a match.
 * @type {Record<string, (values: number[], names: string[]) => string>}
 */
const SUMS = {
  ownership: ([seat, taken, others, lost, ...nets], names) => {
    const pairs = nets
      .slice(0, names.length)
      .flatMap((net, other) => (net ? [`${SIGNS[other]} ${signed(net)}`] : []));
    const each = pairs.length ? ` (${pairs.join(" ")})` : "";
    const net = signed(others - lost) + each;
    return gettext("{name} took {taken}, {others} of them others’, and lost {lost}: net {net}", {
      ...{ name: escaped(names[seat]), taken, others, lost, net },
    });
  },
  scores: (values) => gettext("totals {scores}", { scores: standings(values.map(signed)) }),
};

/** @param {string} cell a round's number, or the first and the last of several @param {string} words */
const ofRounds = (cell, words) =>
  cell.includes("–")
    ? gettext("Rounds {rounds}: {words}", { rounds: cell, words })
    : gettext("Round {round}: {words}", { round: cell, words });

/** @param {Log} log @param {number} seq @param {string[]} names */
function eventOf(log, seq, names) {
  const round = log.roundOf(seq);
  const events = round.eventAt(seq);
  const event = round.events[events - 1];
  const words = sayingAt(round, events, names, "spectator").text;
  const time = clock(event?.t ?? 0);
  return {
    words: `${time}  ${escaped(words)}`,
    over: event?.do === "end",
    event: /** @type {any} */ (event),
  };
}

/**
 * A take: how many cards, and whose.
 * @param {any} event
 * @param {number[]} values the stack's height, and each seat's cards in it
 * @param {string[]} names
 */
function takeOf(event, [height, ...counts], names) {
  const others = height - counts[event.seat];
  const whose = counts.flatMap((cards, seat) =>
    cards && seat !== event.seat ? [`${SIGNS[seat]} ${cards}`] : [],
  );
  const all = {
    ...{ time: clock(event.t), name: escaped(names[event.seat]), stack: event.stack + 1 },
    ...{ others, whose: whose.join(" ") },
  };
  return others
    ? ngettext(
        "{time}  {name} takes stack {stack}: {count} card, {others} of them others’ ({whose})",
        "{time}  {name} takes stack {stack}: {count} cards, {others} of them others’ ({whose})",
        height,
        all,
      )
    : ngettext(
        "{time}  {name} takes stack {stack}: {count} card, all their own",
        "{time}  {name} takes stack {stack}: {count} cards, all their own",
        height,
        all,
      );
}

/** @param {any} trace @param {string} name @param {Log} log @param {string[]} names */
function wordedPoints(trace, name, log, names) {
  const text = trace.customdata.map((/** @type {number} */ seq, /** @type {number} */ at) => {
    const { words, over, event } = eventOf(log, seq, names);
    if (name === "ownership" && event?.takes) return takeOf(event, trace.meta.values[at], names);
    return `${words}<br>${NUMBERS[name](trace.meta.values[at], over)}`;
  });
  return { ...trace, text, hovertemplate: "%{text}<extra></extra>" };
}

/** @param {any} trace @param {string} name @param {string[]} cells @param {string[]} names */
function wordedRounds(trace, name, cells, names) {
  const text = trace.meta.values.map((/** @type {number[]} */ values, /** @type {number} */ at) =>
    ofRounds(cells[at % cells.length], SUMS[name](values, names)),
  );
  return { ...trace, text, hovertemplate: "%{text}<extra></extra>" };
}

/**
 * Who took how many of whose cards, and how many the other took back: the pieces of the bars, and
 * the cells of who fed whom, whose last column is about all others.
 * @param {any} trace @param {string[]} names
 */
function wordedPieces(trace, names) {
  /** @type {{taker: number, owner: number | null, cards: number, back: number}[]} */
  const pieces = trace.meta.pieces;
  const hovertext = pieces.map(({ taker, owner, cards, back }) => {
    const name = escaped(names[taker]);
    if (owner === null)
      return gettext("{name} and all others: {net}", { name, net: signed(cards) });
    if (taker === owner)
      return ngettext(
        "{name} took {count} card of their own",
        "{name} took {count} cards of their own",
        cards,
        { name },
      );
    const all = { name, other: escaped(names[owner]), cards, back, net: signed(cards - back) };
    return gettext(
      "{name} took {cards} of {other}’s cards, {other} took {back} of {name}’s: {net} for {name}",
      all,
    );
  });
  return { ...trace, hovertext, hovertemplate: "%{hovertext}<extra></extra>" };
}

/**
 * The figure, with text for its points.
 * @param {Figure} figure
 * @param {string} name of the chart
 * @param {Log} log with the lines of the round that the figure shows
 * @returns {Figure}
 */
export function worded(figure, name, log) {
  const names = log.match.seats.map((seat) => seat.name);
  const data = figure.data.map((trace) => {
    if (trace.meta?.pieces) return wordedPieces(trace, names);
    if (!trace.meta?.values) return trace;
    const { cells } = figure.layout.meta ?? {};
    return cells ? wordedRounds(trace, name, cells, names) : wordedPoints(trace, name, log, names);
  });
  return { ...figure, data };
}
