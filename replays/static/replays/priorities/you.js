/**
 * A match as its player looks back on it, as the site writes it: on the match's page, and in the
 * dialog at its end. What is still to be made is made meanwhile: the analysis, and then the judged
 * decisions.
 * @import { Page } from "../replay/page.js"
 */

import { box, bringIntoView, styled } from "../../games/dom/elements.js";
import { pageAt } from "../../games/dom/pages.js";
import { answerAt } from "../jobs/waiting.js";

const STYLE = new URL("./priorities.css", import.meta.url).href;

/** @param {HTMLElement} place @param {Page} [page] the match's, if it is there */
export async function mount(place, page) {
  const written = (await pageAt(place.dataset.url ?? ""))?.getElementById("you");
  if (!written?.children.length) return;
  await styled(STYLE);
  place.replaceChildren(...written.childNodes);
  if (page) await bind(place, page);
  else place.hidden = false;
  const coming = /** @type {HTMLElement | null} */ (place.querySelector("[data-coming]"));
  if (!coming) return;
  try {
    await answerAt(coming.dataset.coming ?? "", box("div", ""), "");
  } catch {
    return; // what is there stays
  }
  // A question of this list, and what came of it, stay.
  if (!place.inert && !place.querySelector(".verdict")) await mount(place, page);
}

/** Its places are on this page's table. @param {HTMLElement} place @param {Page} page */
async function bind(place, page) {
  const [{ centerAt }, { sentence }, { tryHere }] = await Promise.all([
    import("../analysis/momentlist.js"),
    import("../analysis/sentence.js"),
    import("../studies/tryhere.js"),
  ]);
  for (const said of place.querySelectorAll(".play-words"))
    said.replaceChildren(...sentence(said.textContent ?? "", page.names));
  const items = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-seq]"));
  for (const item of items) {
    const { round, seq, slot } = item.dataset;
    const at = { round: Number(round), seq: Number(seq), slot: Number(slot) };
    item.prepend(centerAt(page.player, at));
    page.set({ decides: new Set([...page.state.decides, at.seq]) });
    item.querySelector("a")?.addEventListener("click", (event) => {
      event.preventDefault();
      bringIntoView(page.board.root);
      page.player.pause();
      page.player.goBefore(at.seq);
    });
    item.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      tryHere(/** @type {HTMLFormElement} */ (event.target), place, page, (verdict) => {
        item.querySelector(".verdict")?.remove();
        if (verdict) item.append(verdict);
        bringIntoView(item);
        item.querySelector("button")?.focus({ preventScroll: true });
      });
    });
  }
}
