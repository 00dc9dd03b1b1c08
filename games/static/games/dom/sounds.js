/** Short synthesized sounds. None before the player has interacted with the page. */

/**
 * Each sound: tones as [frequency in Hz, start in s, length in s].
 * @type {Record<string, [number, number, number][]>}
 */
const TONES = {
  play: [[520, 0, 0.05]],
  take: [
    [440, 0, 0.08],
    [660, 0.07, 0.08],
    [880, 0.14, 0.14],
  ],
  tie: [
    [300, 0, 0.1],
    [300, 0.12, 0.1],
  ],
  late: [
    [260, 0, 0.09],
    [200, 0.08, 0.12],
  ],
  miss: [[150, 0, 0.18]],
  out: [
    [660, 0, 0.1],
    [880, 0.1, 0.2],
  ],
  end: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.24],
  ],
  victory: [
    [523, 0.25, 0.16],
    [659, 0.4, 0.16],
    [784, 0.55, 0.16],
    [1047, 0.7, 0.5],
    [784, 0.7, 0.5],
  ],
  tick: [[700, 0, 0.03]],
  ratuki: [
    [587, 0, 0.09],
    [587, 0.12, 0.09],
    [880, 0.24, 0.25],
  ],
};

/** A take of more cards than this plays on, with a note for every three of them. */
const MODEST = 4;
const RISE = [988, 1175, 1319, 1568, 1760];
const WATCHED = new Set(["tie", "late", "miss", "out", "end"]);

/**
 * The tones of a sound.
 * @param {string} kind
 * @param {number} [cards] of a take: the more cards, the longer the sound
 * @returns {[number, number, number][]} as in TONES
 */
export const tonesOf = (kind, cards = 0) => [
  ...(TONES[kind] ?? []),
  ...RISE.slice(0, Math.max(Math.ceil((cards - MODEST) / 3), 0)).map(
    (frequency, at) =>
      /** @type {[number, number, number]} */ ([frequency, 0.22 + at * 0.07, 0.18]),
  ),
];

export class Sounds {
  /** @param {() => boolean} wanted */
  constructor(wanted) {
    this.wanted = wanted;
    /** @type {AudioContext | null} */
    this.context = null;
    // A call, or another app, interrupts sound. Only a press may bring it back.
    const wake = () => {
      this.context ??= new AudioContext();
      if (this.context.state !== "running") this.context.resume().catch(() => {});
    };
    addEventListener("pointerdown", wake);
    addEventListener("keydown", wake);
  }

  /** @param {string} kind @param {number} [cards] of a take */
  sound(kind, cards = 0) {
    if (!this.context || !this.wanted()) return;
    for (const tone of tonesOf(kind, cards)) this.#tone(...tone);
  }

  /** Plays an event's sound for spectators. @param {{do: string, takes?: number}} event */
  hear(event) {
    if (event.do === "play") this.sound(event.takes ? "take" : "play", event.takes);
    else if (WATCHED.has(event.do)) this.sound(event.do);
  }

  /** @param {number} frequency @param {number} start @param {number} length */
  #tone(frequency, start, length) {
    const context = /** @type {AudioContext} */ (this.context);
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    const at = context.currentTime + start;
    oscillator.type = "triangle";
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + length);
  }
}
