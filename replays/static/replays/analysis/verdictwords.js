/** The verdict in pieces: the names it begins with may be cut on narrow pages, the reason never. */

/**
 * @param {string} words
 * @param {string[]} names of all seats
 * @returns {{text: string, name: boolean}[]}
 */
export function verdictPieces(words, names) {
  const pieces = [];
  const known = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  let rest = words;
  for (;;) {
    const name = known.find((candidate) => rest.startsWith(candidate));
    if (!name) break;
    pieces.push({ text: name, name: true });
    rest = rest.slice(name.length);
    const between = /^(?:, | and )/.exec(rest)?.[0] ?? "";
    if (!between) break;
    pieces.push({ text: between, name: false });
    rest = rest.slice(between.length);
  }
  return [...pieces, { text: rest, name: false }];
}
