/**
 * One player picked out: their parts of a chart, the rest being pale. No DOM.
 * @typedef {{seat?: number, other?: number, seats?: number[]}} Meta of a trace: whose colour it
 *   has, and its other player. Or the seats that contested a stack.
 */

/**
 * Whether it belongs to the picked player: their cards wherever they went, and all that they took.
 * Traces without a player stay as they are.
 * @param {Meta | undefined} meta
 * @param {number | null} picked a seat. null: none is picked
 */
export function belongs(meta, picked) {
  if (picked === null) return true;
  if (meta?.seats) return meta.seats.includes(picked);
  if (meta?.seat === undefined) return true;
  return meta.seat === picked || meta.other === picked;
}

/** The seat that words in the margin are about. null: none. @param {string | undefined} name */
export function seatOfEnd(name) {
  const [kind, seat] = (name ?? "").split(" ");
  return kind === "end" ? Number(seat) : null;
}

/**
 * The picked player: the one pointed at, else the one chosen by a press. A second press ends it.
 * @param {{chosen: number | null, over: number | null}} picking
 */
export const pickedOf = ({ chosen, over }) => over ?? chosen;

/** @param {number | null} chosen @param {number} pressed */
export const chosenAfter = (chosen, pressed) => (chosen === pressed ? null : pressed);
