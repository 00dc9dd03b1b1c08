/**
 * The possible audiences of a text, wherever one is chosen. A new text is its author's alone until
 * they choose: the last choice says nothing about the next. No DOM.
 * @typedef {[string, string]} Audience its value, as the API takes it, and its words
 */

import { gettext } from "../../games/words/gettext.js";

/** The classes that the visitor is in: their names by key. @type {Record<string, string>} */
let classes = {};

/** Says which classes there are to choose from, once the page knows. @param {Record<string, string>} known */
export const inClasses = (known) => {
  classes = known;
};

/** Before the key of a class. */
const CLASS = "class:";

/** From the narrowest to the widest. @returns {Audience[]} */
export const audiences = () => [
  ["self", gettext("Only me")],
  ["people", gettext("Named people")],
  ...Object.entries(classes).map(
    ([key, name]) => /** @type {Audience} */ ([CLASS + key, gettext("Class {name}", { name })]),
  ),
  ["link", gettext("Anyone with the link")],
  ["everyone", gettext("Everyone")],
];

/** An audience in words. @param {string} value */
export const audienceWords = (value) =>
  audiences().find(([audience]) => audience === value)?.[1] ??
  (value.startsWith(CLASS) ? gettext("A class that you are not in any more") : value);

/** In a list of words about a note. @param {string} value of a class */
export const forClass = (value) => {
  const name = classes[value.slice(CLASS.length)];
  return name
    ? gettext("for class {name}", { name })
    : gettext("for a class that you are not in any more");
};

/** What is separated by commas in one line. @param {string} text */
export const namesIn = (text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Even of a class that was left. @param {Audience[]} choices @param {string} value */
export const withChosen = (choices, value) =>
  choices.some(([audience]) => audience === value)
    ? choices
    : [.../** @type {Audience[]} */ ([[value, audienceWords(value)]]), ...choices];

/** A reply is for the readers of its note, or for its author alone. @param {string} thread @returns {Audience[]} */
export const audiencesOfReply = (thread) =>
  withChosen(audiences(), thread).flatMap(([value, words]) => {
    if (value === "self") return [[value, words]];
    return value === thread ? [[value, gettext("Everyone who sees the note")]] : [];
  });
