/**
 * Moments of a match for those who ask about them: in words, and what was played there. No DOM.
 * @typedef {import("../../games/match/log.js").Round} Round
 * @import { Play, RoundEvent } from "../../games/match/fold.js"
 * @typedef {{do: "play" | "draw" | "discard" | "wait", card?: string, stack?: number}} Answer
 */

import { faceOf, WILD } from "../../games/match/fold.js";
import { clock, saying, sentence, stackName } from "../../games/match/words.js";

/** @param {string} [card] */
const faceWords = (card) => (faceOf(card ?? "") === WILD ? "wild" : `${faceOf(card ?? "")}`);

/** An answer in words, to stand in a sentence. @param {Answer} answer */
export function answerWords(answer) {
  if (answer.do === "draw") return "draw a card";
  if (answer.do === "wait") return "wait";
  if (answer.do === "discard") return `discard the ${faceWords(answer.card)}`;
  return `the ${faceWords(answer.card)} on ${stackName(answer.stack ?? 0)}`;
}

/** The time after so many events, in ms of the round. @param {Round} round @param {number} event */
export const timeAt = (round, event) => round.events[event - 1]?.t ?? 0;

/** What somebody does, without its details. @param {RoundEvent} event @param {string[]} names */
function act(event, names) {
  if (event.do !== "play") return sentence(saying(event, names), names).replace(/\.$/, "");
  const does = event.takes ? "takes" : "plays on";
  return `${names[event.seat]} ${does} ${stackName(event.stack)}`;
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
  if (!next || next.do === "end") return `${time}, the end of the round`;
  return `${time}, before ${act(next, names)}`;
}

/**
 * Where to ask: right before the next take by a seat (null: by anybody), or else before its next
 * play, in what is left of the round.
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
 * What to ask at a moment: about a seat (null: whoever plays next), and what it did.
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

/** How long a seat took after a moment, in ms; null: it did nothing more. @param {Round | undefined} round @param {number} event @param {number} seat */
export function tookMs(round, event, seat) {
  const next = round?.events.slice(event).find((later) => "seat" in later && later.seat === seat);
  return round && next ? next.t - timeAt(round, event) : null;
}

/** Whether two answers are the same play: cards with the same face are. @param {Answer} answer @param {Answer} other */
export const sameAnswer = (answer, other) =>
  answer.do === other.do &&
  answer.stack === other.stack &&
  faceOf(answer.card ?? "") === faceOf(other.card ?? "");

/**
 * What is told after an answer about a screen: what that player did, and what the answer would have met.
 * @param {readonly RoundEvent[]} events from what the screen had shown up to that player's try
 * @param {{seat: number, did: Answer, answer: Answer | null}} asked `answer` null: they asked to be told
 * @param {string[]} names
 */
export function screenTold(events, { seat, did, answer }, names) {
  const name = names[seat];
  const told = [`${name}: ${answerWords(did)}.`];
  if (answer) told.unshift(`You: ${answerWords(answer)}.`);
  if (answer && sameAnswer(answer, did)) told.splice(1, 1, `So did ${name}.`);
  if (answer?.do === "play") {
    const where = stackName(answer.stack ?? 0);
    const changed = events.some(
      (event) =>
        (event.do === "tie" || (event.do === "play" && event.seat !== seat)) &&
        event.stack === answer.stack,
    );
    told.push(
      changed
        ? `What changed ${where} was on its way: no one at that screen could know.`
        : `Nothing that was on its way changed ${where}.`,
    );
  }
  return `${told.join(" ")} This is certain: ${name}’s try says what it had seen.`;
}

/** @param {HTMLElement} words @param {import("../../games/match/player.js").Player} player */
export function followMoments(words, player) {
  words.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.moment-link") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const query = new URLSearchParams(link.getAttribute("href") ?? "");
    player.pause();
    player.goTo({ round: Number(query.get("round")), t: Number(query.get("t")) });
  });
}
