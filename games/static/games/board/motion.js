/**
 * How cards move: short, distinct motions, all of them on top of where a card already is.
 *
 * A card's final position is set at once and a motion only plays over it, so a motion that is
 * interrupted (by a seek, a resize, reduced motion) leaves nothing behind.
 * @typedef {{x: number, y: number, scale: number}} Spot
 * @typedef {{duration: number, delay?: number, offsets?: number[], level: number}} Beat `offsets`:
 *   when, from 0 to 1, each spot of the path but the last is reached. `level`: z-index
 */

import { box, placed } from "../dom/elements.js";

const EASE = "cubic-bezier(.3,.75,.3,1)";

/** @param {Spot} spot */
export const transformOf = (spot) => `translate(${spot.x}px, ${spot.y}px) scale(${spot.scale})`;

/** Whether the system, or the page's switch, asks for no motion. */
export const wantsStillness = () =>
  document.documentElement.dataset.motion === "off" ||
  matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Asking the card instead would force a layout. @type {Map<HTMLElement, Animation>} */
const moving = new Map();

/** @param {HTMLElement} card */
export function halt(card) {
  moving.get(card)?.cancel();
  moving.delete(card);
}

/**
 * Moves a card along the path, from where it appears now to the path's last spot.
 * @param {HTMLElement} card @param {Spot} from @param {Spot[]} path @param {Beat} beat
 * @param {() => void} arrived
 */
export function lead(card, from, path, { duration, delay = 0, offsets = [], level }, arrived) {
  const start = moving.has(card) ? getComputedStyle(card).transform : transformOf(from);
  halt(card);
  const frames = [start, ...path.map(transformOf)].map((transform, at) => ({
    transform,
    zIndex: level,
    easing: EASE,
    offset: at === 0 ? 0 : at === path.length ? 1 : (offsets[at - 1] ?? at / path.length),
  }));
  const motion = card.animate(frames, { duration, delay, fill: "backwards" });
  moving.set(card, motion);
  motion.onfinish = () => {
    moving.delete(card);
    arrived();
  };
}

/** @param {Spot} spot @param {number} dx @param {number} [dy] */
export const nudged = (spot, dx, dy = 0) => ({ ...spot, x: spot.x + dx, y: spot.y + dy });

/** The spot `far` of the way between. @param {Spot} a @param {Spot} b @param {number} far */
export const between = (a, b, far) => ({
  x: a.x + (b.x - a.x) * far,
  y: a.y + (b.y - a.y) * far,
  scale: a.scale + (b.scale - a.scale) * far,
});

/**
 * A word that rises and fades over a spot, or stays still if motion is not wanted.
 * @param {HTMLElement} layer @param {string} text @param {{x: number, y: number}} at
 * @param {{kind: string, duration: number, weight?: number, who?: string}} look  `weight`: the
 *   size, from 0 to 1. `who`: the `{name}` of the text.
 */
export function exclaim(layer, text, at, { kind, duration, weight = 0, who = "" }) {
  const name = box("bdi", "cut yields", who); // it gives way to the words after it
  const word = box("span", `shout shout-${kind}`, ...placed(text, { name: [name] }));
  word.style.setProperty("left", `${at.x}px`);
  word.style.setProperty("top", `${at.y}px`);
  word.style.setProperty("--weight", String(weight));
  layer.append(word);
  const middle = "translate(-50%, -50%)";
  const still = [{ opacity: 1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];
  const lively = [
    { opacity: 0, transform: `${middle} scale(.6)` },
    { opacity: 1, transform: `${middle} scale(1.12)`, offset: 0.14 },
    { opacity: 1, transform: `${middle} scale(1)`, offset: 0.24 },
    { opacity: 1, transform: `${middle} translateY(-4px)`, offset: 0.75 },
    { opacity: 0, transform: `${middle} translateY(-22px)` },
  ];
  const animation = word.animate(wantsStillness() ? still : lively, {
    duration,
    easing: "ease-out",
  });
  animation.onfinish = animation.oncancel = () => word.remove();
}

/** A widening ring. @param {HTMLElement} element @param {string} kind @param {number} duration */
export function pulse(element, kind, duration) {
  if (wantsStillness()) return;
  const ring = box("span", `ring ring-${kind}`);
  element.append(ring);
  const frames = [
    { opacity: 0.9, transform: "scale(.9)" },
    { opacity: 0, transform: "scale(1.35)" },
  ];
  const animation = ring.animate(frames, { duration, easing: "ease-out" });
  animation.onfinish = animation.oncancel = () => ring.remove();
}

/**
 * Marks that fly up from a spot and fall, for special events.
 * @param {HTMLElement} layer @param {{x: number, y: number}} at
 * @param {() => Element} mark creates one
 * @param {number} count
 */
export function burst(layer, at, mark, count) {
  if (wantsStillness()) return;
  for (let number = 0; number < count; number += 1) {
    const bit = box("span", "burst");
    bit.append(mark());
    bit.style.setProperty("left", `${at.x}px`);
    bit.style.setProperty("top", `${at.y}px`);
    layer.append(bit);
    const angle = (number / count) * 2 * Math.PI + (number % 3) * 0.2;
    const far = 60 + (number % 4) * 34;
    const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far - 40];
    const frames = [
      { opacity: 1, transform: "translate(-50%, -50%) scale(.4)" },
      {
        opacity: 1,
        transform: `translate(calc(${x}px - 50%), calc(${y}px - 50%)) rotate(${number * 60}deg)`,
        offset: 0.55,
      },
      {
        opacity: 0,
        transform: `translate(calc(${x * 1.2}px - 50%), calc(${y + 90}px - 50%)) rotate(${number * 120}deg)`,
      },
    ];
    const motion = bit.animate(frames, { duration: 900 + (number % 5) * 120, easing: EASE });
    motion.onfinish = motion.oncancel = () => bit.remove();
  }
}
