// @ts-check
/**
 * The notes and variations of a match, in the order of their places.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Note} Note
 */

import { box, byId, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";

/** @param {Player} player @param {Note} note */
function item(player, note) {
  const t = player.log.rounds[note.round - 1]?.events[note.event - 1]?.t ?? 0;
  const place = box("span", "note-place", `Round ${note.round} · ${clock(t)}`);
  const by = box(
    "span",
    "note-by",
    [note.variation ? "Variation" : "", note.by ?? ""].filter(Boolean).join(" by "),
  );
  const head = box("span", "note-head", place, box("b", "note-glyph", note.glyph ?? ""), by);
  const button = box("button", "note-button", head, box("span", "note-text", note.text ?? ""));
  button.setAttribute("type", "button");
  button.addEventListener("click", () => {
    player.pause();
    player.goTo({ round: note.round, event: note.event });
  });
  return box("li", "note", button);
}

/** @param {Player} player */
export function bindNotes(player) {
  let shown = -1;
  const draw = () => {
    const { notes } = player.log;
    if (notes.length === shown) return;
    shown = notes.length;
    const sorted = [...notes].sort((a, b) => a.round - b.round || a.event - b.event);
    byId("notes-list").replaceChildren(...sorted.map((note) => item(player, note)));
    byId("notes-empty").hidden = shown > 0;
    write(byId("notes-count"), shown ? String(shown) : "");
  };
  player.log.onGrow(draw);
  draw();
}
