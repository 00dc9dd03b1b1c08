/**
 * Where in a round stepping from race to race stops. No DOM.
 * @typedef {import("./log.js").Round} Round
 */

/**
 * The races of a round, which are ties and late tries, and the places of notes on it, in order.
 * @param {Round} round
 * @param {readonly {round: number, event: number}[]} notes of the log
 * @param {ReadonlySet<string>} noted places of other notes, as `round.event`
 * @returns {number[]} after so many events
 */
export function racesAndNotes(round, notes, noted) {
  const prefix = `${round.number}.`;
  const inLog = notes.filter((note) => note.round === round.number).map((note) => note.event);
  const beside = [...noted]
    .filter((place) => place.startsWith(prefix))
    .map((place) => Number(place.slice(prefix.length)));
  return [...(round.timeline?.races ?? []), ...inLog, ...beside].sort((a, b) => a - b);
}
