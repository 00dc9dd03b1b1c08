/**
 * What happened, as briefly as possible: `5 ▸ stack 4, +5`. For lists. No DOM.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @typedef {import("./words.js").Context} Context
 * @typedef {{seats: number[], text: string}} Brief  `seats`: whose marks precede it
 */

import { gettext } from "../words/gettext.js";
import { faceOf, ownerOf, WILD } from "./fold.js";
import { seesHand } from "./perspective.js";
import { ending, faceName, signed, stackName } from "./words.js";

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
 * @param {import("./perspective.js").View} [view] a card hidden from this viewer has no face
 * @returns {Brief}
 */
export function brief(event, met, view = "all") {
  if (event.do === "tie")
    return {
      seats: event.cards.map(ownerOf),
      text: gettext("tie on stack {stack}", { stack: event.stack + 1 }),
    };
  if (event.do === "end") {
    const { title } = ending(event.reason);
    return { seats: [], text: `${title}: ${event.scores.map(signed).join(", ")}` };
  }
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
