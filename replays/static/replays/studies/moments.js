/**
 * Moments of a match for writers of questions: in words, and the play there. No DOM.
 * @typedef {import("../../games/match/log.js").Round} Round
 * @import { Play, RoundEvent } from "../../games/match/fold.js"
 * @typedef {{do: "play" | "draw" | "discard" | "wait", card?: string, stack?: number}} Answer
 */

import { captionAt } from "../../games/match/caption.js";
import { faceOf } from "../../games/match/fold.js";
import { cardName, clock, faceName } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

/** An answer in words, as part of a sentence. @param {Answer} answer */
export function answerWords({ do: what, card, stack = 0 }) {
  if (what === "draw") return gettext("draw a card");
  if (what === "wait") return gettext("wait");
  const all = { card: faceName(card), stack: stack + 1 };
  return what === "discard"
    ? gettext("discard the {card}", all)
    : gettext("the {card} on stack {stack}", all);
}

/** The time after so many events, in ms of the round. @param {Round} round @param {number} event */
export const timeAt = (round, event) => round.events[event - 1]?.t ?? 0;

/** A time, by the next event. @param {RoundEvent} event @param {string} time @param {string[]} names */
function beforeWords(event, time, names) {
  const all = {
    time,
    name: "seat" in event ? names[event.seat] : "",
    stack: "stack" in event ? event.stack + 1 : 0,
    card: "card" in event ? cardName(event.card) : "",
  };
  switch (event.do) {
    case "play":
      return event.takes
        ? gettext("{time}, before {name} takes stack {stack}", all)
        : gettext("{time}, before {name} plays on stack {stack}", all);
    case "draw":
      return gettext("{time}, before {name} draws {card}", all);
    case "discard":
      return gettext("{time}, before {name} discards {card}", all);
    case "tie":
      return gettext("{time}, before a tie on stack {stack}", all);
    case "out":
      return gettext("{time}, before {name} is OUT", all);
    case "end":
      return gettext("{time}, the end of the round", all);
    default:
      return gettext("{time}, before {name} tries stack {stack}", all);
  }
}

/**
 * A moment in words: `0:32.5, before Bea takes stack 2`.
 * @param {Round | undefined} round
 * @param {number} event how many have happened
 * @param {string[]} names
 */
export function momentWords(round, event, names) {
  if (!round) return "";
  const next = round.events[event];
  const time = clock(timeAt(round, event));
  return next ? beforeWords(next, time, names) : gettext("{time}, the end of the round", { time });
}

/**
 * What a chapter is called until someone names it: what has just happened there.
 * @param {Round | undefined} round @param {number} event @param {string[]} names
 */
export function titleOf(round, event, names) {
  if (!round) return "";
  const { text } = captionAt(round, { event, t: timeAt(round, event) }, 0, names);
  return gettext("Round {round}: {event}", { round: round.number, event: text }).slice(0, 100);
}

/**
 * Where to ask: right before the next take by a seat (null: by any), or else before its next play,
 * in the rest of the round.
 * @param {Round | undefined} round
 * @param {number} from after how many events
 * @param {number | null} seat @returns {{event: number, play: Play} | null}
 */
export function nextQuestion(round, from, seat) {
  const plays = (round?.events ?? []).flatMap((roundEvent, event) =>
    event >= from && roundEvent.do === "play" && (seat === null || roundEvent.seat === seat)
      ? [{ event, play: roundEvent }]
      : [],
  );
  return plays.find(({ play }) => play.takes) ?? plays[0] ?? null;
}

/**
 * What to ask at a moment: about a seat (null: the next to play), and its action.
 * @param {Round | undefined} round
 * @param {number} event after how many events
 * @param {number | null} seat @returns {{seat: number, answer: Answer} | null}
 */
export function questionAt(round, event, seat) {
  const next = round?.events.slice(event).find((later) => later.do === "play");
  const asked = seat ?? (next && "seat" in next ? next.seat : null);
  if (!next || asked === null) return null;
  return { seat: asked, answer: happened(round, event, asked) ?? { do: "wait" } };
}

/**
 * What a seat did next in the match, as an answer.
 * @param {Round | undefined} round @param {number} event @param {number} seat
 * @returns {Answer | null}
 */
export function happened(round, event, seat) {
  for (const next of round?.events.slice(event) ?? []) {
    if (!("seat" in next) || next.seat !== seat) continue;
    if (next.do === "play") return { do: "play", card: next.card, stack: next.stack };
    if (next.do === "draw") return { do: "draw" };
    if (next.do === "discard") return { do: "discard", card: next.card };
  }
  return null;
}

/** How long a seat took after a moment, in ms. null: it did nothing more. @param {Round | undefined} round @param {number} event @param {number} seat */
export function tookMs(round, event, seat) {
  const next = round?.events.slice(event).find((later) => "seat" in later && later.seat === seat);
  return round && next ? next.t - timeAt(round, event) : null;
}

/** Whether two answers are the same play: cards with the same face are. @param {Answer} answer @param {Answer} other */
export const sameAnswer = (answer, other) =>
  answer.do === other.do &&
  answer.stack === other.stack &&
  faceOf(answer.card ?? "") === faceOf(other.card ?? "");
