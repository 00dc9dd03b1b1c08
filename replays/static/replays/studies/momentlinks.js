/** Moments named in a chapter's introduction lead there. */

/** @param {HTMLElement} words @param {import("../../games/match/player.js").Player} player */
export function followMoments(words, player) {
  words.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.moment-link") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const query = new URLSearchParams(link.getAttribute("href") ?? "");
    player.pause();
    player.goTo({ round: Number(query.get("round")), t: Number(query.get("t")) });
  });
}
