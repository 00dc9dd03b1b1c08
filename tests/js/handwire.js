import { HandClock } from "./handclock.js";

/** A server's end of a line that a test answers by hand, on a clock that it turns by hand. */
export class HandWire {
  constructor() {
    this.clock = new HandClock();
    /** @type {any[]} */
    this.sockets = [];
    /** @type {import("../../games/static/games/live/socket.js").World} */
    this.world = {
      open: () => this.#open(),
      random: () => 0.5,
      now: () => this.clock.now(),
      later: (ms, run) => this.clock.later(ms, run),
      cancel: (alarm) => this.clock.cancel(alarm),
    };
  }

  /** @returns {any} */
  #open() {
    /** @type {any} */
    const socket = { readyState: 1, sent: [], close() {} };
    socket.send = (/** @type {string} */ text) => socket.sent.push(JSON.parse(text));
    this.sockets.push(socket);
    return socket;
  }

  get socket() {
    return this.sockets.at(-1);
  }

  /** What has come through this connection. @param {string} type @returns {any[]} */
  said(type) {
    return this.socket.sent.filter((/** @type {any} */ frame) => frame.type === type);
  }

  /** @param {object} frame */
  say(frame) {
    this.socket.onmessage({ data: JSON.stringify(frame) });
  }
}
