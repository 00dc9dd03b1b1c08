/**
 * Style sheets of parts that are fetched later than their page: each comes with its part.
 */

/** Resolves once it is there, or lost. @param {string} href @param {string} [id] */
export function styled(href, id = "") {
  return new Promise((ready) => {
    const link = { id, rel: "stylesheet", href, onload: ready, onerror: ready };
    document.head.append(Object.assign(document.createElement("link"), link));
  });
}
