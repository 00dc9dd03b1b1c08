/**
 * Finds out whether a match has notes, and fetches the code that shows them once there is something
 * to read, or the viewer wants to write.
 * @import { Page } from "../replay/page.js"
 * @typedef {Awaited<ReturnType<typeof import("./reading.js").open>>} Notes
 */

import { request } from "../../games/dom/asking.js";
import { byId, write } from "../../games/dom/elements.js";
import { later } from "../../games/dom/later.js";
import { browserStorage } from "../../games/dom/storage.js";
import { keeps } from "../outbox/kept.js";

/** Whether the URL asks for notes, or this browser keeps some unsaved. @param {string | number} match */
function wanted(match) {
  const hash = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const drafted = keeps(`notes.drafts.${match}`, browserStorage());
  return hash.has("note") || query.has("playlist") || drafted;
}

/** The server's response about the notes. null if there is none. @param {string} url */
async function known(url) {
  const asked = new URLSearchParams(location.hash.slice(1));
  const [share, note] = [asked.get("share"), asked.get("note")];
  const query = new URLSearchParams({
    only: "notes",
    ...(share && { share }),
    ...(note && { note }),
  });
  const { ok, data } = await request("GET /api/v1/matches/{pk}/notes", `${url}?${query}`);
  return ok ? data : null;
}

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  const { log } = page.player;
  // If results are hidden, notes are loaded as the cursor advances.
  const asking = log.endHidden ? null : known(panel.dataset.url ?? "");
  /** @type {(how?: {quiet?: boolean}) => Promise<Notes>} */
  const read = later(() =>
    import("./reading.js").then(async ({ open }) => open(panel, page, await asking)),
  );
  const prepare = () => read({ quiet: true }).catch(() => {}); // a press shows the failure
  page.offer("takeNote", (note) => read().then((notes) => notes.hear(note)));
  page.offer("writeNote", () => read().then((notes) => notes.write()));
  // Anyone who comes near the table may want to draw on it.
  page.board.root.addEventListener("pointerover", prepare, { once: true });
  page.onChange(["tab"], ({ tab }) => tab === "notes" && read());
  const fetched = await asking;
  const count = log.notes.length + (fetched?.notes.length ?? 0);
  if (count) write(byId("notes-count"), String(count));
  if (count || log.endHidden || !panel.hidden || wanted(log.match.id)) await prepare();
}
