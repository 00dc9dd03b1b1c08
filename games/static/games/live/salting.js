/**
 * A player's part in the next deal: a random salt for each commitment, sent without being asked.
 * The same salt is sent for the same commitment, so nothing is gained by losing it. No DOM.
 * @typedef {{commit?: string | null, seats: {salted?: boolean}[]}} News  of the protocol's `state`
 * @typedef {(bytes: Uint8Array<ArrayBuffer>) => Uint8Array} Fill  fills with random bytes
 */

const SALT_BYTES = 16;

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class Salting {
  /**
   * @param {number} seat
   * @param {(frame: {type: "salt", salt: string, commit: string}) => void} send
   * @param {Fill} [fill]
   */
  constructor(seat, send, fill = (bytes) => crypto.getRandomValues(bytes)) {
    this.seat = seat;
    this.send = send;
    this.fill = fill;
    this.commit = "";
    this.salt = "";
    /** Whether the seat had no salt when this page learned of the commitment. */
    this.first = false;
    /** Whether the host has said that this salt arrived, and not an earlier page's. */
    this.arrived = false;
  }

  /** What the newest state says. @param {News} news */
  state(news) {
    if (!news.commit) return;
    const salted = news.seats[this.seat].salted ?? false;
    if (news.commit !== this.commit) {
      this.commit = news.commit;
      this.salt = hex(this.fill(new Uint8Array(SALT_BYTES)));
      this.first = !salted;
    }
    this.arrived = salted && this.first;
    if (!salted) this.send({ type: "salt", salt: this.salt, commit: this.commit });
  }
}
