/**
 * What happened, as briefly as possible: `5 ▸ stack 4, +5`. For lists. No DOM.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @typedef {import("./words.js").Context} Context
 * @typedef {{seats: number[], text: string}} Brief  `seats`: whose marks precede it
 */

import { faceOf, ownerOf, WILD } from "./fold.js";
import { seesHand } from "./perspective.js";
import { ending, signed, stackName } from "./words.js";

/** @param {string | undefined} card @param {number} [as] */
function faceName(card, as) {
  const face = faceOf(card ?? "");
  if (face !== WILD) return face ? String(face) : "card";
  return as ? `wild as ${as}` : "wild";
}

/** @param {import("./fold.js").Play} event @param {Context | undefined} met */
function play(event, met) {
  const taken = event.takes ? `, +${event.takes}` : "";
  const where =
    met?.under || event.takes ? stackName(event.stack) : `new ${stackName(event.stack)}`;
  return `${faceName(event.card, event.as)} ▸ ${where}${taken}`;
}

/** @param {import("./fold.js").Try} event @param {Context | undefined} met */
function attempt(event, met) {
  const card = faceOf(event.card) ? `${faceName(event.card, event.as)} ▸ ` : "";
  const what = `${card}${stackName(event.stack)}`;
  if (event.do === "miss") return `${what}: no fit`;
  return met?.first ? `${what}, ${met.first.ms} ms late` : `${what}, late`;
}

/**
 * @param {RoundEvent} event @param {Context} [met]
 * @param {import("./perspective.js").View} [view] a card hidden from this viewer has no face
 * @returns {Brief}
 */
export function brief(event, met, view = "all") {
  if (event.do === "tie")
    return { seats: event.cards.map(ownerOf), text: `tie on ${stackName(event.stack)}` };
  if (event.do === "end") {
    const { title } = ending(event.reason);
    return { seats: [], text: `${title}: ${event.scores.map(signed).join(", ")}` };
  }
  const seats = [event.seat];
  if (event.do === "play") return { seats, text: play(event, met) };
  if (event.do === "out") return { seats, text: "OUT!" };
  if (event.do === "late" || event.do === "miss") return { seats, text: attempt(event, met) };
  const card = faceName(seesHand(view, event.seat) ? event.card : undefined);
  return { seats, text: `${event.do}s ${card === "card" ? "a card" : card}` };
}
