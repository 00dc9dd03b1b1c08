// @ts-check
/**
 * Players' quick phrases: their words, and that nobody says one after the other. No DOM.
 *
 * @typedef {(ms: number, run: () => void) => any} Later
 */

/** The same as in the protocol. @type {Record<string, string>} */
export const PHRASES = {
  "good-luck": "Good luck",
  "well-played": "Well played",
  ouch: "Ouch",
  "one-moment": "One moment",
  again: "Again?",
};
/** The host drops what a seat says sooner than this after its last phrase, in ms. */
export const REST_MS = 2000;

/**
 * What a seat's phrase is to a viewer.
 * @param {string | null | undefined} says as in the protocol's `state`
 * @param {boolean} heard whether the viewer wants phrases
 */
export const wordsOf = (says, heard) => (heard && says && PHRASES[says]) || "";

export class Talking {
  /** @param {(phrase: string) => void} say @param {(resting: boolean) => void} show @param {Later} [later] */
  constructor(say, show, later = (ms, run) => setTimeout(run, ms)) {
    this.send = say;
    this.show = show;
    this.later = later;
    this.resting = false;
  }

  /** Says a phrase, unless the last one has just been said. @param {string} phrase */
  say(phrase) {
    if (this.resting) return;
    this.send(phrase);
    this.#rest(true);
    this.later(REST_MS, () => this.#rest(false));
  }

  /** @param {boolean} resting */
  #rest(resting) {
    this.resting = resting;
    this.show(resting);
  }
}
