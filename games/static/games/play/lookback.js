/**
 * Looking back during the player's own match: step back, step forward, return to now. The match
 * goes on meanwhile. No DOM.
 * @typedef {import("../match/player.js").Player} Player
 */

export class LookBack {
  /** @param {Player} player @param {() => void} returned the present is shown again */
  constructor(player, returned) {
    this.player = player;
    this.returned = returned;
  }

  /** Whether the page shows the past. */
  get back() {
    return this.player.detached;
  }

  /** Steps; a step that reaches the end follows from there. @param {number} by */
  async step(by) {
    if (by > 0 && !this.back) return;
    await this.player.stepEvent(by);
    if (this.player.atEnd) await this.end();
  }

  async end() {
    await this.player.follow();
    this.returned();
  }

  /** Whether the page shows now; if not it returns there, and what was pressed does nothing else. */
  here() {
    if (!this.back) return true;
    this.end();
    return false;
  }
}
