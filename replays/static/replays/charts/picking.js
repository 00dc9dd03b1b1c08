/**
 * One player picked out: what in a chart is theirs, the rest being pale. No DOM.
 * @typedef {{seat?: number, other?: number, seats?: number[]}} Meta of a trace: whose colour it has,
 *   and who else it is about; or who contested a stack
 */

/**
 * Whether it belongs to the picked player: their cards wherever they went, and whatever they took.
 * What belongs to nobody stays as it is.
 * @param {Meta | undefined} meta
 * @param {number | null} picked a seat; null: nobody is picked
 */
export function belongs(meta, picked) {
  if (picked === null) return true;
  if (meta?.seats) return meta.seats.includes(picked);
  if (meta?.seat === undefined) return true;
  return meta.seat === picked || meta.other === picked;
}

/** The seat that words in the margin are about; null: they are about none. @param {string | undefined} name */
export function seatOfEnd(name) {
  const [kind, seat] = (name ?? "").split(" ");
  return kind === "end" || kind === "net" ? Number(seat) : null;
}

/**
 * Who is picked: the one pointed at, else the one chosen by a press; pressing them again ends it.
 * @param {{chosen: number | null, over: number | null}} picking
 */
export const pickedOf = ({ chosen, over }) => over ?? chosen;

/** @param {number | null} chosen @param {number} pressed */
export const chosenAfter = (chosen, pressed) => (chosen === pressed ? null : pressed);
