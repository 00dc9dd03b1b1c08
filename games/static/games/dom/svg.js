/** Pictures as SVG elements. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[N]}
 */
export function drawn(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}
