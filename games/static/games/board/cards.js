/** Cards and deck marks as elements. The drawings are in `sprite.js`, the colours in `board.css`. */

import { box, drawn } from "../dom/elements.js";
import { faceOf, ownerOf, WILD } from "../match/fold.js";
import { SPRITE } from "./sprite.js";

/** @typedef {"back" | "front" | "small"} Side */

const STYLES = /data-styles="([^"]+)"/.exec(SPRITE)?.[1].split(" ") ?? [];

/** Puts the drawings into the page, once. */
export function installSprite() {
  if (document.querySelector(".card-sprite")) return;
  document.body.insertAdjacentHTML("beforeend", SPRITE);
}

/** @param {string} card */
export function styleOf(card) {
  const copy = card.charCodeAt(2) - "a".charCodeAt(0);
  return faceOf(card) === WILD ? "wild" : STYLES[copy % STYLES.length];
}

/** @param {string[]} symbols @param {string} viewBox @param {string} [kind] */
function drawing(symbols, viewBox, kind = "") {
  const svg = drawn("svg", { viewBox, "aria-hidden": "true" });
  if (kind) svg.setAttribute("class", kind);
  svg.append(...symbols.map((name) => drawn("use", { href: `#${name}` })));
  return svg;
}

/** A seat's mark: colour and shape. @param {number} seat */
export const markOf = (seat) => drawing([`mark-${seat}`], "0 0 20 20", `mark deck-${seat}`);

/** A seat's mark and its player's name, kept on one line. @param {number} seat @param {string} name */
export const marked = (seat, name) => box("span", "marked", markOf(seat), box("bdi", "cut", name));

/** A player's name, and the short one that a narrow page shows instead. @param {string} name @param {string} short */
export const nameOf = (name, short) => [
  box("bdi", "cut name-long", name),
  box("bdi", { class: "cut name-short", title: name }, short),
];

/** @param {string} card the symbols of its front, for normal and small cards */
function front(card) {
  const face = faceOf(card);
  const paper = `card-front-${ownerOf(card)}`;
  if (face === WILD) return [paper, "card-wild", "card-corner-R"];
  return [paper, `card-${face}-${styleOf(card)}`, `card-corner-${face}`];
}

/** The drawings of a card's sides. @param {string} card @param {Side} side */
function symbolsOf(card, side) {
  if (side === "back" || !faceOf(card)) return [`card-back-${ownerOf(card)}`];
  if (side === "front" || faceOf(card) === WILD) return front(card);
  return [`card-front-${ownerOf(card)}`, `card-${faceOf(card)}-number`];
}

/** A card showing one of its sides. @param {string} card @param {Side} [side] */
export function cardElement(card, side = "front") {
  const element = box("div", `card deck-${ownerOf(card)}`);
  element.dataset.card = card;
  turn(element, side);
  return element;
}

/**
 * Turns a card to one of its sides. A side is drawn when first needed.
 * @param {HTMLElement} element from `cardElement`
 * @param {Side} side `small` is a front with only a large number
 */
export function turn(element, side) {
  if (element.dataset.side === side) return;
  element.dataset.side = side;
  const drawn = element.querySelector(`.card-${side}`);
  const wanted =
    drawn ?? drawing(symbolsOf(element.dataset.card ?? "", side), "0 0 100 140", `card-${side}`);
  if (!drawn) element.append(wanted);
  for (const other of element.children) other.toggleAttribute("hidden", other !== wanted);
}
