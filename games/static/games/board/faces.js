// @ts-check
/**
 * The cards' drawings, as SVG text: original work, on a card of 100 by 140.
 *
 * A face fills the panel in the middle (x 10 to 90, y 33 to 107). Colours come only from classes,
 * so that `board.css` alone sets them in both themes.
 */

const WORDS = ["one", "two", "three", "four", "five"];
const ROMAN = ["I", "II", "III", "IV", "V"];
const MIDDLE = { x: 50, y: 70 };

/** Deck marks in a box of 20 by 20: circle, triangle, square, diamond, star. */
const MARKS = [
  '<circle cx="10" cy="10" r="8"/>',
  '<path d="M10 1.5 19 17.5H1Z"/>',
  '<rect x="2.5" y="2.5" width="15" height="15" rx="1"/>',
  '<path d="M10 .5 18.5 10 10 19.5 1.5 10Z"/>',
  '<path d="m10 .8 2.7 6 6.5.7-4.9 4.4 1.4 6.4L10 15l-5.7 3.3 1.4-6.4L.8 7.5l6.5-.7Z"/>',
];

/** Deck patterns in tiles, drawn faintly over the deck's colour. */
const PATTERNS = [
  '<path d="M0 0"/>',
  '<path d="M-2 2 2-2M0 12 12 0M10 14 14 10" class="card-line"/>',
  '<circle cx="3" cy="3" r="1.8"/><circle cx="9" cy="9" r="1.8"/>',
  '<path d="M0 0 12 12M12 0 0 12" class="card-line"/>',
  '<path d="M-1 4 3 1 9 7 13 4M-1 10 3 7 9 13 13 10" class="card-line"/>',
];

const PIPS = [
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
];

/** @param {number} face */
function die(face) {
  const pips = PIPS[face - 1].map(
    ([x, y]) => `<circle cx="${50 + x * 15}" cy="${70 + y * 15}" r="6.5"/>`,
  );
  return `<g transform="rotate(-8 50 70)"><rect class="card-outline" x="21" y="41" width="58" height="58" rx="12"/>${pips.join("")}</g>`;
}

/** @param {number} face */
const numeral = (face) =>
  `<text class="card-numeral" x="50" y="95" text-anchor="middle">${face}</text>`;

/** @param {number} face */
function word(face) {
  const width = [50, 54, 70, 58, 54][face - 1];
  return `<text class="card-word" x="50" y="79" text-anchor="middle" textLength="${width}" lengthAdjust="spacingAndGlyphs">${WORDS[face - 1]}</text><path class="card-stroke thin" d="M${50 - width / 2} 90h${width}"/>`;
}

/** A roman numeral of strokes between two bars. @param {number} face */
function roman(face) {
  const signs = [...ROMAN[face - 1]];
  const width = signs.reduce((sum, sign) => sum + (sign === "V" ? 34 : 17), 0);
  let x = MIDDLE.x - width / 2;
  const strokes = signs.map((sign) => {
    const step = sign === "V" ? 34 : 17;
    const path = sign === "V" ? `M${x + 4} 47 ${x + 17} 93 ${x + 30} 47` : `M${x + 8.5} 47V93`;
    x += step;
    return path;
  });
  const bar = width / 2 + 2;
  const bars = `M${50 - bar} 46.5H${50 + bar}M${50 - bar} 93.5H${50 + bar}`;
  return `<path class="card-stroke" d="${strokes.join("")}"/><path class="card-stroke thin" d="${bars}"/>`;
}

/** Fingers from index to little finger: position, length, angle. */
const FINGERS = [
  { x: 36.5, length: 33, lean: -7 },
  { x: 46.5, length: 37, lean: -2 },
  { x: 56.5, length: 34, lean: 3 },
  { x: 66, length: 27, lean: 9 },
];
const FOLDED = 7;

/** @param {number} face */
function hand(face) {
  const fingers = FINGERS.map(({ x, length, lean }, finger) => {
    const up = finger < face;
    const tall = up ? length : FOLDED;
    return `<rect x="${x - 5}" y="${74 - tall}" width="10" height="${tall + 12}" rx="5" transform="rotate(${up ? lean : 0} ${x} 84)"/>`;
  });
  const thumb =
    face === 5
      ? '<path d="M36 92C30 88 25 80 20.5 75c-3-4 2.5-8.5 6-5.5L39 80Z"/>'
      : '<rect x="34" y="79" width="27" height="9.5" rx="4.7" transform="rotate(9 40 84)"/>';
  const palm = '<path d="M31.5 78h39.5v12c0 8-5 13.5-12 13.5H44C36 103.5 31.5 98 31.5 90Z"/>';
  return `<g class="card-hand">${face === 5 ? thumb + fingers.join("") + palm : fingers.join("") + palm + thumb}</g>`;
}

const STYLES = { number: numeral, roman, word, die, hand };
/** How each copy is drawn: `a` is the first style, and so on in rotation. */
export const STYLE_NAMES = /** @type {(keyof typeof STYLES)[]} */ (Object.keys(STYLES));

/** Five petals, one in each deck's colour, around a bold R. */
function wild() {
  const petals = MARKS.map(
    (_, deck) =>
      `<path class="card-petal deck-${deck}" d="M50 70C33 60 36 37 50 34c14 3 17 26 0 36Z" transform="rotate(${deck * 72} 50 70)"/>`,
  );
  return `${petals.join("")}<circle class="card-hub" cx="50" cy="70" r="15"/><text class="card-letter" x="50" y="79" text-anchor="middle">R</text>`;
}

/** @param {string} id @param {string} art */
const symbol = (id, art) => `<symbol id="${id}" viewBox="0 0 100 140">${art}</symbol>`;

/** @param {number} deck */
function paper(deck) {
  const edge = '<rect class="card-deck" x="1" y="1" width="98" height="138" rx="10"/>';
  const pattern = `<rect x="1" y="1" width="98" height="138" rx="10" fill="url(#deck-pattern-${deck})"/>`;
  const mark = `<use href="#mark-${deck}" x="72" y="5.5" width="20" height="20" class="card-on-deck"/>`;
  const under = `<use href="#mark-${deck}" x="72" y="5.5" width="20" height="20" class="card-on-deck" transform="rotate(180 50 70)"/>`;
  return (
    symbol(
      `card-front-${deck}`,
      `${edge}${pattern}<rect class="card-paper" x="7" y="32" width="86" height="76" rx="6"/>${mark}${under}`,
    ) +
    symbol(
      `card-back-${deck}`,
      `${edge}${pattern}<rect class="card-frame" x="9" y="9" width="82" height="122" rx="6"/><use href="#mark-${deck}" x="27" y="47" width="46" height="46" class="card-on-deck"/>`,
    )
  );
}

/** @param {string} sign */
const corner = (sign) => `<text class="card-corner" x="8" y="25">${sign}</text>`;

/** @param {string} sign */
const corners = (sign) => `${corner(sign)}<g transform="rotate(180 50 70)">${corner(sign)}</g>`;

/** @param {number} face */
const numberSymbols = (face) =>
  STYLE_NAMES.map((style) => symbol(`card-${face}-${style}`, STYLES[style](face))).join("") +
  symbol(`card-corner-${face}`, corners(String(face))) +
  symbol(
    `card-${face}-small`,
    `<text class="card-numeral" x="50" y="95" text-anchor="middle">${face}</text>`,
  );

/** Everything a page needs once to draw any card by reference. */
export function sprite() {
  const marks = MARKS.map(
    (art, deck) => `<symbol id="mark-${deck}" viewBox="0 0 20 20">${art}</symbol>`,
  );
  const patterns = PATTERNS.map(
    (art, deck) =>
      `<pattern id="deck-pattern-${deck}" class="card-pattern deck-${deck}" width="12" height="12" patternUnits="userSpaceOnUse">${art}</pattern>`,
  );
  const numbers = [1, 2, 3, 4, 5].map(numberSymbols);
  const wilds = symbol("card-wild", wild()) + symbol("card-corner-R", corners("R"));
  return `<svg xmlns="http://www.w3.org/2000/svg" class="card-sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>${patterns.join("")}</defs>${marks.join("")}${MARKS.map((_, deck) => paper(deck)).join("")}${numbers.join("")}${wilds}</svg>`;
}
