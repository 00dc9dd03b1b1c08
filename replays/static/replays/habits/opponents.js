/** Before a match: what is known of the people at a table, beside their names. */

import { pageAt } from "../../games/dom/asking.js";
import { box } from "../../games/dom/elements.js";

/** Follows the list of places while people come and go. @param {HTMLElement} places */
export function mount(places) {
  const url = places.dataset.habits ?? "";
  /** @type {Map<Element, string>} */
  const known = new Map();
  const look = () => {
    for (const place of places.children) {
      const name = nameAt(place);
      if (known.get(place) === name) continue;
      known.set(place, name);
      place.querySelector(".habits")?.remove();
      if (name) tell(place, name, url.replace("NAME", encodeURIComponent(name)));
    }
  };
  new MutationObserver(look).observe(places, { childList: true, subtree: true });
  look();
}

/** Who sits there; nobody who is a bot, or the reader. @param {Element} place */
function nameAt(place) {
  const about = place.querySelector(".soft")?.textContent;
  if (about || place.classList.contains("free")) return "";
  return place.querySelector(".name")?.textContent ?? "";
}

/** @param {Element} place @param {string} name @param {string} url */
async function tell(place, name, url) {
  const habits = (await pageAt(url))?.getElementById("next");
  if (!habits?.children.length || nameAt(place) !== name) return;
  place.append(box("span", "soft habits", ...habits.childNodes));
}
