/** What would cover something else in a chart, and is left out. No DOM. */

/** Marks closer than this, in px, cover each other. A chart is about so many px high. */
const COVER = 4;
const HIGH = 280;
/** Numbers beside marks need so much room, in px. */
const NUMBER = { wide: 20, high: 11 };

/** @param {[number, number]} range of an axis @param {number} room px along it @returns {(value: number) => number} */
const scale =
  ([from, to], room) =>
  (value) =>
    ((value - from) / (to - from)) * room;

/**
 * The marks of a trace without those that would cover another: each costs as much as a visible one.
 * @param {any} trace @param {{range: [number, number]}} axis
 * @param {number} room px
 */
export function uncovered(trace, { range }, room) {
  if (trace.mode !== "markers") return trace;
  const low = Math.min(...trace.y);
  const across = scale(range, room / COVER);
  const up = scale([low, Math.max(...trace.y, low + 1)], HIGH / COVER);
  const cells = new Set();
  const kept = trace.x.map((/** @type {number} */ x, /** @type {number} */ at) => {
    const cell = `${Math.round(across(x))} ${Math.round(up(trace.y[at]))}`;
    return !cells.has(cell) && Boolean(cells.add(cell));
  });
  const some = (/** @type {unknown} */ values) =>
    Array.isArray(values) ? values.filter((_, at) => kept[at]) : values;
  return { ...trace, x: some(trace.x), y: some(trace.y), text: some(trace.text) };
}

/**
 * The traces, with numbers beside their marks only as far as all can be read: the greatest first.
 * @param {any[]} traces
 * @param {any} layout with the range of both axes
 * @param {number} room px
 */
export function legible(traces, { xaxis, yaxis }, room) {
  const numbered = traces.filter(({ mode }) => mode === "markers+text");
  if (!numbered.length) return traces;
  const [across, up] = [scale(xaxis.range, room), scale(yaxis.range, HIGH)];
  const places = numbered.flatMap(({ x, y, text }, of) =>
    text.map((/** @type {string} */ words, /** @type {number} */ at) => {
      return { of, at, size: Number(words), x: across(x[at]), y: up(y[at]) };
    }),
  );
  /** @type {typeof places} */
  const shown = [];
  for (const place of places.toSorted((a, b) => b.size - a.size))
    if (shown.every((other) => apart(other, place))) shown.push(place);
  const kept = new Set(shown.map(({ of, at }) => `${of} ${at}`));
  return traces.map((trace) => {
    const of = numbered.indexOf(trace);
    if (of < 0) return trace;
    const text = trace.text.map((/** @type {string} */ words, /** @type {number} */ at) =>
      kept.has(`${of} ${at}`) ? words : "",
    );
    return { ...trace, text };
  });
}

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
const apart = (a, b) => Math.abs(a.x - b.x) >= NUMBER.wide || Math.abs(a.y - b.y) >= NUMBER.high;
