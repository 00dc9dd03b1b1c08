/**
 * Only one tab plays: of two tabs at the same seat the newer one does, and the older one says so
 * and offers to take over. Two tabs drawing for the same hand would block each other.
 */

export class OneTab {
  /** @param {string} name of the seat @param {{yield: () => void, resume: () => void}} does */
  constructor(name, does) {
    this.does = does;
    this.playing = true;
    this.channel =
      "BroadcastChannel" in window ? new BroadcastChannel(`ratuki.seat.${name}`) : null;
    this.channel?.addEventListener("message", () => this.#step());
    this.claim();
  }

  /** Play here: other tabs step aside. */
  claim() {
    this.channel?.postMessage("mine");
    if (this.playing) return;
    this.playing = true;
    this.does.resume();
  }

  #step() {
    if (!this.playing) return;
    this.playing = false;
    this.does.yield();
  }
}
