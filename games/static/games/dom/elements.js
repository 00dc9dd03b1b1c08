/**
 * Small functions that find, create and update elements.
 * @typedef {string | Record<string, string | number | boolean>} Kind
 */

/** An element that must exist. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/**
 * An element. `kind`: its class, or its attributes. Attributes that are `false` are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Kind} kind
 * @param {(Node | string)[]} inside
 */
export function box(tag, kind, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes(kind)))
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  element.append(...inside);
  return element;
}

/** @param {Kind} kind */
const attributes = (kind) => (typeof kind === "string" ? { class: kind } : kind);

/** A copy of what a template of the page has. @param {string} id */
export function templated(id) {
  const { content } = /** @type {HTMLTemplateElement} */ (byId(id));
  return /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
}

/**
 * A button that sends no form. If pressing it takes a while, pressing it again does nothing until then.
 * @param {Kind} kind @param {string | (Node | string)[]} words
 * @param {(event: MouseEvent) => void} press
 */
export function button(kind, words, press) {
  const element = box("button", { type: "button", ...attributes(kind) }, ...[words].flat());
  element.addEventListener("click", single(press));
  return element;
}

/**
 * A message with elements in the places of some of its values.
 * @param {string} text @param {Record<string, (Node | string)[]>} nodes
 */
export const placed = (text, nodes) =>
  text.split(/(\{\w+\})/).flatMap((part) => nodes[part.slice(1, -1)] ?? (part ? [part] : []));

/** Sets the text only if it has changed. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Says words in a live region, also the same ones again. @param {Element} region @param {string} words */
export const announce = (region, words) =>
  region.replaceChildren(...(words ? [box("span", "", words)] : []));

/** An element's name for a screen reader. @param {Element} element */
const labelOf = (element) => element.getAttribute("aria-label") ?? element.textContent;

/**
 * Draws the rows of a list, or the parts of an element, again. The focus stays. If its element has
 * gone, it moves to one beside it with the same function, or else to the list.
 * @param {HTMLElement} root @param {(Node | string)[]} rows
 */
export function redraw(root, rows) {
  const controls = () => [...root.querySelectorAll("a, button, input, select, summary, textarea")];
  const active = document.activeElement;
  const at = active ? controls().indexOf(active) : -1;
  root.replaceChildren(...rows);
  if (!active || at < 0 || root.contains(active)) return;
  const near = controls()
    .map((element, place) => ({ element, far: Math.abs(place - at) }))
    .sort((a, b) => a.far - b.far)
    .map(({ element }) => /** @type {HTMLElement} */ (element));
  const again = near.find((element) => labelOf(element) === labelOf(active));
  const like = near.find(
    (element) => element.textContent && element.textContent === active.textContent,
  );
  if (!again && !like) root.tabIndex = -1;
  (again ?? like ?? root).focus({ preventScroll: true });
}

/**
 * Puts nodes into an element. Those that are in it stay as they are, with focus and selection.
 * @param {HTMLElement} root @param {ChildNode[]} nodes
 */
export function arrange(root, nodes) {
  for (const child of [...root.childNodes]) if (!nodes.includes(child)) child.remove();
  for (const [at, node] of nodes.entries())
    if (root.childNodes[at] !== node) root.insertBefore(node, root.childNodes[at] ?? null);
}

/** Takes a page's marked parts, but none in use. @param {ParentNode} page */
export function freshen(page) {
  for (const part of page.querySelectorAll("[data-fresh]")) {
    const { fresh } = /** @type {HTMLElement} */ (part).dataset;
    const here = document.querySelector(`[data-fresh="${fresh}"]`);
    if (!here || here.contains(document.activeElement)) continue;
    if (here.textContent !== part.textContent) here.replaceChildren(...part.childNodes);
  }
}

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

/** Resolves once it is there, or lost. @param {string} href @param {string} [id] */
export function styled(href, id = "") {
  return new Promise((ready) => {
    const link = { id, rel: "stylesheet", href, onload: ready, onerror: ready };
    document.head.append(Object.assign(document.createElement("link"), link));
  });
}

/** Px left free above it. */
const GAP = 8;

/** Shows its start under the table that stays on top, in the panel beside it, or far below. @param {HTMLElement} element */
export function bringIntoView(element) {
  const stage = document.querySelector(".stage");
  if (!stage) return;
  if (element.closest(".stage")) return stage.scrollIntoView({ block: "nearest" });
  if (element.closest(".below")) return element.scrollIntoView({ block: "nearest" });
  const { top, height } = stage.getBoundingClientRect();
  if (getComputedStyle(stage).position === "sticky") {
    element.style.setProperty("scroll-margin-block-start", `${Math.round(height) + GAP}px`);
    element.scrollIntoView({ block: "start" });
    return;
  }
  const panel = element.closest(".tabpanel");
  const from = (panel ?? element).getBoundingClientRect().top;
  if (from >= top + height) return element.scrollIntoView({ block: "start" }); // narrow and low
  panel?.scrollBy(0, element.getBoundingClientRect().top - from - GAP);
  if (top < 0) stage.scrollIntoView({ block: "start" });
}

/** Leaves the page: under way until it is shown again. @param {() => void} go */
export function leave(go) {
  go();
  return new Promise((shown) => addEventListener("pageshow", shown, { once: true }));
}

/**
 * @template {unknown[]} A
 * @param {(...given: A) => unknown} does may return a promise, until which it is under way
 * @returns {(...given: A) => Promise<void>}
 */
export function single(does) {
  let running = false;
  return async (...given) => {
    if (running) return;
    running = true;
    try {
      await does(...given);
    } finally {
      running = false;
    }
  };
}
