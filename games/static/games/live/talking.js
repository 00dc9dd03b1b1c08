/**
 * Players' quick phrases: their words, and that nobody says one after the other. No DOM.
 * @import { Phrase } from "frames"
 * @import { Later } from "../dom/clock.js"
 */

import { later } from "../dom/clock.js";

/** The same as in the protocol. @type {Record<Phrase, string>} */
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
 * @param {Phrase | null | undefined} says as in the protocol's `state`
 * @param {boolean} heard whether the viewer wants phrases
 */
export const wordsOf = (says, heard) => (heard && says && PHRASES[says]) || "";

export class Talking {
  /** @param {(phrase: Phrase) => void} say @param {(resting: boolean) => void} show @param {Later} [wait] */
  constructor(say, show, wait = later) {
    this.send = say;
    this.show = show;
    this.later = wait;
    this.resting = false;
  }

  /** Says a phrase, unless the last one has just been said. @param {Phrase} phrase */
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
