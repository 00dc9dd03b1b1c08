/**
 * A live match's socket: says hello, resumes by seq, acknowledges, reconnects by itself.
 *
 * The rules here (docs/reference/protocol.md):
 * - Lines are passed on in order of seq, each once. A gap closes the connection, and the next hello
 *   asks for the lines after the last known one.
 * - An action keeps its id until it is answered, and is resent after every welcome.
 * - A player acknowledges each frame of lines at once. A spectator acknowledges half a window of
 *   them together, or fewer after `GOT_MS`.
 * - A connection silent for `QUIET_MS` after a ping is dead and gets closed.
 * - A client that was admitted and then refused has logged in or out: it reconnects once, under its
 *   current identity.
 * - During an update the server may be older than the page. If it rejects a hello, the next one has
 *   no further fields.
 * - Between attempts it waits 0.5 s, doubling up to 2 s for a player and 10 s for others, each
 *   multiplied by a random 0.5 to 1.5.
 *
 * It knows no DOM and no rules.
 */

import { later } from "../dom/clock.js";

export const VERSION = 1;
export const PING_MS = 5_000;
export const QUIET_MS = 12_000;
export const GOT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** A match goes on without its players. */
const LONGEST_SEATED_WAIT_MS = 2_000;
/** `WebSocket.OPEN`. Tests have no WebSocket. */
const OPEN = 1;
const NOT_ALLOWED = 4403;
const FINAL_CODES = new Set([1000, 4400, NOT_ALLOWED, 4404, 4406]);
/** A client refused twice within this time is not welcome. */
const SENT_AWAY_MS = 60_000;

/**
 * @import { AckFrame, ByeFrame, ChatsFrame, ErrorFrame, Heard, HeardInReview, LinesFrame, NoteFrame, PongFrame, RefusedFrame, ReportedFrame, ReviewErrorFrame, ReviewFrame, ReviewWelcomeFrame, Said, SaidInReview, StateFrame, WelcomeFrame } from "frames"
 * @import { Line } from "../match/fold.js"
 * @typedef {"connecting" | "live" | "away" | "closed"} Status
 * @typedef {Heard | HeardInReview} Frame
 * @typedef {WelcomeFrame & ReviewWelcomeFrame} Welcome  one of them: a match's or a review's
 * @typedef {AckFrame | RefusedFrame} Answer
 * @typedef {ChatsFrame | ReportedFrame} ChatNews
 * @typedef {Omit<LinesFrame, "lines"> & {lines: Line[]}} Lines
 * @typedef {{do: "play" | "draw" | "discard" | "out", card?: string, stack?: number, as?: number, seen?: number}} Asked
 * @typedef {{type: "act", id: string, round: number} & Asked} Act
 * @typedef {{
 *   status?: (status: Status, why: string) => void,
 *   crowded?: (pieces: string) => void,
 *   welcome?: (frame: Welcome) => void,
 *   restart?: (seq: number) => void,
 *   lines?: (frame: Lines) => void,
 *   answer?: (frame: Answer, asked: Asked) => void,
 *   state?: (frame: StateFrame) => void,
 *   chat?: (frame: ChatNews) => void,
 *   error?: (frame: ErrorFrame | ReviewErrorFrame) => void,
 *   other?: (frame: ReviewFrame | NoteFrame) => void,
 *   heard?: (frame: Frame) => void,
 *   asked?: (frame: Act) => void,
 * }} Listener  `crowded`: there are too many sockets, but pieces at that address. It does not
 *   reconnect then. `restart`: drop the lines since that seq. `other`: frames that matches do not have.
 *   `heard`: every frame, without lines that are known. `asked`: every action that is requested.
 * @typedef {{
 *   open: (url: string) => WebSocket,
 *   random: () => number,
 *   now: () => number,
 *   later: import("../dom/clock.js").Later,
 *   cancel: (timer: unknown) => void,
 * }} World  a socket's environment, replaced by tests
 */

/** @type {World} */
export const BROWSER = {
  open: (url) => new WebSocket(new URL(url, location.href.replace(/^http/, "ws"))),
  random: Math.random,
  now: () => performance.now(),
  later,
  cancel: (timer) => clearTimeout(/** @type {number} */ (timer)),
};

export class LiveSocket {
  /**
   * @param {string} url @param {Listener} listener
   * @param {{seq?: number | null, epoch?: number | null, open?: boolean, key?: string, world?: World,
   *   more?: () => object}} [options] `seq`: the first line wanted, by default the deal of the
   *   current round. `more`: further fields for each hello.
   */
  constructor(url, listener, options = {}) {
    this.url = url;
    this.listener = listener;
    this.world = options.world ?? BROWSER;
    this.seq = options.seq ?? null;
    this.epoch = options.epoch ?? null;
    this.more = options.more ?? (() => ({}));
    this.extra = { ...(options.open && { open: true }), ...(options.key && { key: options.key }) };
    /** @type {Status} */
    this.status = "away";
    /** @type {Map<string, {frame: Act, asked: Asked}>} */
    this.unanswered = new Map();
    this.tries = 0;
    this.actions = 0;
    this.heard = 0;
    this.lagMs = /** @type {number | null} */ (null);
    this.pings = 0;
    /** When it pinged last. */
    this.pinged = 0;
    this.prefix = Math.floor(this.world.random() * 36 ** 6).toString(36);
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = /** @type {unknown} */ (null);
    this.beat = /** @type {unknown} */ (null);
    /** How many frames of lines are acknowledged together. */
    this.gotFrames = 1;
    this.ungot = 0;
    this.gotTimer = /** @type {unknown} */ (null);
    this.welcomed = false;
    /** Whether this connection's server is older than the page, and rejects `more`. */
    this.plain = false;
    /** Whether the last welcome was to a seat. */
    this.seated = false;
    this.sentAway = -Infinity;
    this.paused = false;
    /** Why the server says it is closing. Not every server says so in the close itself. */
    this.farewell = /** @type {ByeFrame | null} */ (null);
  }

  start() {
    if (this.socket || this.status === "closed" || this.paused) return;
    this.world.cancel(this.timer);
    this.#become("connecting", "");
    const socket = this.world.open(this.url);
    this.socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    socket.onclose = (event) => this.#gone(socket, event.code, event.reason);
    this.heard = this.world.now();
    this.#keepAlive(socket);
  }

  stop() {
    this.#become("closed", "");
    this.world.cancel(this.timer);
    this.#forget();
    this.socket?.close(1000);
    this.socket = null;
  }

  pause() {
    this.paused = true;
    this.#drop("paused");
    this.world.cancel(this.timer);
  }

  resume() {
    this.paused = false;
    this.start();
  }

  #forget() {
    this.world.cancel(this.beat);
    this.world.cancel(this.gotTimer);
    this.gotTimer = null;
    this.ungot = 0;
    this.welcomed = this.plain = false;
    this.farewell = null;
  }

  /** Reconnect with a new hello. */
  again() {
    this.#drop("again");
    this.start();
  }

  /** Drop a connection without waiting for the server to confirm the close. @param {string} why */
  #drop(why) {
    const socket = this.socket;
    if (!socket) return;
    socket.close(4000, why);
    this.#gone(socket, 1006, why);
  }

  /**
   * Request an action in round `round`. The answer goes to `listener.answer`.
   * @param {number} round @param {Asked} asked
   * @returns {string} the action's id
   */
  act(round, asked) {
    const id = `${this.prefix}-${++this.actions}`;
    const frame = { type: /** @type {const} */ ("act"), id, round, ...asked };
    this.unanswered.set(id, { frame, asked });
    this.listener.asked?.(frame);
    this.send(frame);
    return id;
  }

  /** Whether what is sent now goes out: a socket is closing for a while before it is closed. */
  get live() {
    return this.status === "live" && this.socket?.readyState === OPEN;
  }

  /**
   * Send a frame that needs no answer, if there is a connection.
   * @param {Said | SaidInReview | Act} frame
   * @returns {boolean} whether there is one
   */
  send(frame) {
    if (!this.live) return false;
    this.socket?.send(JSON.stringify(frame));
    return true;
  }

  #hello() {
    const known =
      this.seq === null || this.epoch === null ? {} : { epoch: this.epoch, seq: this.seq };
    this.socket?.send(
      JSON.stringify({
        type: "hello",
        v: VERSION,
        ...known,
        ...this.extra,
        ...(!this.plain && this.more()),
      }),
    );
  }

  /** A frame of this socket, or of the pieces in its place. @param {Frame} frame */
  hear(frame) {
    this.heard = this.world.now();
    if (frame.type === "lines") return this.#lines(frame);
    this.listener.heard?.(frame);
    if (frame.type === "welcome") this.#welcome(/** @type {Welcome} */ (frame));
    else if (frame.type === "resync") this.#restart(frame.seq);
    else if (frame.type === "ack" || frame.type === "refused") this.#answer(frame);
    else if (frame.type === "state") this.listener.state?.(frame);
    else if (frame.type === "chats" || frame.type === "reported") this.listener.chat?.(frame);
    else if (frame.type === "pong") this.#pong(frame);
    else if (frame.type === "bye") this.farewell = frame;
    else if (frame.type === "error") this.#fault(frame);
    else this.listener.other?.(frame);
  }

  /** @param {Welcome} frame */
  #welcome(frame) {
    this.tries = 0;
    this.welcomed = true;
    this.seated = frame.seat !== null;
    this.gotFrames = frame.got_every ?? 1; // an older server does not say
    this.begin(frame.epoch, frame.seq);
    this.listener.welcome?.(frame);
    for (const { frame: act } of this.unanswered.values()) this.send(act);
    this.#ping();
  }

  /** Lines come from now on, here or by pieces. @param {number} epoch @param {number} seq of the first */
  begin(epoch, seq) {
    this.epoch = epoch;
    if (this.seq !== seq) this.#restart(seq);
    this.#become("live", "");
  }

  /** @param {ErrorFrame | ReviewErrorFrame} frame */
  #fault(frame) {
    if (frame.code !== "bad-frame" || this.welcomed || this.plain) {
      this.listener.error?.(frame);
      return;
    }
    this.plain = true;
    this.#hello();
  }

  /** @param {number} seq */
  #restart(seq) {
    this.seq = seq;
    this.listener.restart?.(seq);
  }

  /** Passes on the lines that are new. @param {LinesFrame} frame */
  #lines({ before, ...frame }) {
    const seq = this.seq ?? frame.seq;
    const known = seq - frame.seq;
    if (known < 0) return this.#drop("gap");
    const lines = frame.lines.slice(known);
    this.seq = seq + lines.length;
    this.ungot += 1;
    if (this.ungot >= this.gotFrames) this.#got();
    else this.gotTimer ??= this.world.later(GOT_MS, () => this.#got());
    if (!lines.length) return;
    const news = { ...frame, ...(before && !known && { before }), seq, lines };
    this.listener.heard?.(news);
    this.listener.lines?.(news);
  }

  #got() {
    this.world.cancel(this.gotTimer);
    this.gotTimer = null;
    this.ungot = 0;
    this.send({ type: "got", seq: this.seq ?? 0 });
  }

  /** @param {Answer} frame */
  #answer(frame) {
    const waiting = this.unanswered.get(frame.id);
    if (!waiting) return;
    this.unanswered.delete(frame.id);
    this.listener.answer?.(frame, waiting.asked);
  }

  #ping() {
    this.pings += 1;
    this.pinged = this.world.now();
    this.send({ type: "ping", n: this.pings });
  }

  /** @param {PongFrame} frame */
  #pong(frame) {
    if (frame.n === this.pings) this.lagMs = Math.round(this.world.now() - this.pinged);
  }

  /** @param {WebSocket} socket */
  #keepAlive(socket) {
    this.beat = this.world.later(PING_MS, () => {
      if (this.socket !== socket) return;
      if (this.world.now() - this.heard > QUIET_MS) return this.#drop("silent");
      this.#ping();
      this.#keepAlive(socket);
    });
  }

  /** @param {WebSocket} socket @param {number} code @param {string} reason */
  #gone(socket, code, reason) {
    if (this.socket !== socket) return;
    this.socket = null;
    const again = code === NOT_ALLOWED && this.#mayComeBack();
    const why = reason || (this.farewell?.reason ?? "");
    const pieces = this.farewell?.pieces;
    this.#forget();
    if (pieces) {
      this.status = "away";
      this.listener.crowded?.(pieces);
      return;
    }
    if (FINAL_CODES.has(code) && !again) {
      this.#become("closed", why);
      return;
    }
    this.#become("away", why);
    const longest = this.seated ? LONGEST_SEATED_WAIT_MS : LONGEST_WAIT_MS;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.tries, longest);
    this.tries += 1;
    this.timer = this.world.later(wait * (0.5 + this.world.random()), () => this.start());
  }

  #mayComeBack() {
    const now = this.world.now();
    const may = this.welcomed && now - this.sentAway > SENT_AWAY_MS;
    this.sentAway = now;
    return may;
  }

  /** @param {Status} status @param {string} why */
  #become(status, why) {
    this.status = status;
    this.listener.status?.(status, why);
  }
}
