/**
 * The text under a table: the last important event, rather than a trivial later one. No DOM.
 *
 * Takes, ties, OUTs and ends stay for `HOLD_MS`, whatever follows, and so do late tries and mistakes
 * among the rest. Draws and discards happen all the time, so they are never mentioned.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @typedef {import("./log.js").Round} Round
 * @import { Context, Saying } from "./words.js"
 * @typedef {{seats: number[], text: string}} Brief  `seats`: whose marks precede it
 */

import { gettext } from "../words/gettext.js";
import { faceOf, ownerOf, seesHand, WILD } from "./fold.js";
import { ending, faceName, isTake, sayingAt, stackName } from "./words.js";

export const HOLD_MS = 2000;

/**
 * How long an important event stays, in ms of the round. During play, a while of the viewer's time.
 * Manually, each step is described.
 * @param {{playing: boolean, following: boolean, speed: number}} player
 */
export const holdOf = ({ playing, following, speed }) =>
  playing ? HOLD_MS * speed : following ? HOLD_MS : 0;

const LOUD = new Set(["tie", "out", "end"]);
const VAIN = new Set(["late", "miss"]);
const QUIET = new Set(["draw", "discard", "deal"]);

/** What stays on the line, the most important first. @type {((event: RoundEvent) => boolean)[]} */
const STAYING = [(event) => isTake(event) || LOUD.has(event.do), (event) => VAIN.has(event.do)];

/** Whether a saying of this kind is never shown. @param {string} kind */
export const isQuiet = (kind) => QUIET.has(kind);

/**
 * The number of the event to show, 0 for the deal.
 * @param {Round} round
 * @param {number} events how many have happened
 * @param {number} t ms in the round
 * @param {number} hold how long, in ms of the round, an important event stays. 0: not at all
 */
export function captioned(round, events, t, hold) {
  for (const stays of STAYING)
    for (let number = events; number && round.events[number - 1].t > t - hold; number -= 1)
      if (stays(round.events[number - 1])) return number;
  for (let number = events; number; number -= 1)
    if (!QUIET.has(round.events[number - 1].do)) return number;
  return 0;
}

/**
 * @param {Round} round @param {{event: number, t: number}} cursor
 * @param {number} hold as in `captioned`
 * @param {string[]} names @param {import("./fold.js").View} [view]
 * @param {number | null} [you] the seat of the player who reads it
 * @returns {Saying}
 */
export const captionAt = (round, { event, t }, hold, names, view, you) =>
  sayingAt(round, captioned(round, event, t, hold), names, view, you);

/**
 * What is said under a table at a player's place.
 * @param {import("./player.js").Player} player @param {string[]} names
 * @param {import("./fold.js").View} view
 * @param {boolean} ahead whether the play that comes next is what matters
 * @returns {Saying & {number: number}} `number`: of the event
 */
export function lineAt(player, names, view, ahead) {
  const { cursor } = player;
  const round = /** @type {Round} */ (player.round);
  const number = ahead
    ? cursor.event + 1
    : captioned(round, cursor.event, cursor.t, holdOf(player));
  const said = sayingAt(round, number, names, view);
  const text = ahead ? gettext("Next: {event}", { event: said.text }) : said.text;
  return { ...said, text, number };
}

/** @param {import("./fold.js").Play | import("./fold.js").Try} event */
const played = ({ card, as }) =>
  as && faceOf(card) === WILD ? gettext("wild as {number}", { number: as }) : faceName(card);

/** @param {import("./fold.js").Play} event @param {Context | undefined} met */
function play(event, met) {
  const all = { card: played(event), stack: event.stack + 1, count: event.takes };
  if (event.takes) return gettext("{card} ▸ stack {stack}, +{count}", all);
  return met?.under
    ? gettext("{card} ▸ stack {stack}", all)
    : gettext("{card} ▸ new stack {stack}", all);
}

/** @param {import("./fold.js").Try} event @param {Context | undefined} met */
function attempt(event, met) {
  const all = { card: played(event), stack: event.stack + 1 };
  const place = faceOf(event.card)
    ? gettext("{card} ▸ stack {stack}", all)
    : stackName(event.stack);
  if (event.do === "miss") return gettext("{place}: no fit", { place });
  return met?.first
    ? gettext("{place}, {ms} ms late", { place, ms: met.first.ms })
    : gettext("{place}, late", { place });
}

/**
 * @param {RoundEvent} event @param {Context} [met]
 * @param {import("./fold.js").View} [view] a card hidden from this viewer has no face
 * @returns {Brief}
 */
export function brief(event, met, view = "all") {
  if (event.do === "tie")
    return {
      seats: event.cards.map(ownerOf),
      text: gettext("tie on stack {stack}", { stack: event.stack + 1 }),
    };
  if (event.do === "end") return { seats: [], text: ending(event.reason).title };
  const seats = [event.seat];
  if (event.do === "play") return { seats, text: play(event, met) };
  if (event.do === "out") return { seats, text: gettext("OUT!") };
  if (event.do === "late" || event.do === "miss") return { seats, text: attempt(event, met) };
  const up = seesHand(view, event.seat) && faceOf(event.card ?? "");
  const card = up ? faceName(event.card) : gettext("a card");
  const text =
    event.do === "draw" ? gettext("draws {card}", { card }) : gettext("discards {card}", { card });
  return { seats, text };
}
