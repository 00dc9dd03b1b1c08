// @ts-check
/** Cards and deck marks as elements. The art is in `faces.js`, the colours in `board.css`. */

import { STYLE_NAMES, sprite } from "./faces.js";
import { WILD, faceOf, ownerOf } from "./fold.js";

const SVG = "http://www.w3.org/2000/svg";

/** Puts the drawings into the page, once. */
export function installSprite() {
  if (document.querySelector(".card-sprite")) return;
  document.body.insertAdjacentHTML("beforeend", sprite());
}

/** @param {string} card */
export function styleOf(card) {
  const copy = card.charCodeAt(2) - "a".charCodeAt(0);
  return faceOf(card) === WILD ? "wild" : STYLE_NAMES[copy % STYLE_NAMES.length];
}

/** @param {string[]} symbols @param {string} box @param {string} [kind] */
function drawing(symbols, box, kind = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  if (kind) svg.setAttribute("class", kind);
  for (const name of symbols) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${name}`);
    svg.append(use);
  }
  return svg;
}

/** A seat's mark: colour and shape. @param {number} seat */
export const markOf = (seat) => drawing([`mark-${seat}`], "0 0 20 20", `mark deck-${seat}`);

/** @param {string} card the symbols of its front, the art as it is and as a small card shows it */
function front(card) {
  const face = faceOf(card);
  const paper = `card-front-${ownerOf(card)}`;
  if (face === WILD) return [paper, "card-wild", "card-corner-R"];
  return [paper, `card-${face}-${styleOf(card)}`, `card-corner-${face}`];
}

/** A card; `down` on its class list turns it over. @param {string} card */
export function cardElement(card) {
  const element = document.createElement("div");
  element.className = `card deck-${ownerOf(card)}`;
  element.append(drawing([`card-back-${ownerOf(card)}`], "0 0 100 140", "card-back"));
  const face = faceOf(card);
  if (!face) return element;
  element.append(drawing(front(card), "0 0 100 140", "card-front"));
  if (face !== WILD) {
    const small = [`card-front-${ownerOf(card)}`, `card-${face}-small`];
    element.lastElementChild?.classList.add("card-full");
    element.append(drawing(small, "0 0 100 140", "card-front card-small"));
  }
  return element;
}
