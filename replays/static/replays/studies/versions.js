/**
 * What a chapter or a study's introduction said before, and the way back to it.
 * @typedef {import("api").Version} Version
 * @typedef {{revision: number, settled: () => Promise<boolean>, drop: () => void}} Saver
 * @typedef {{url: string, saver: Saver,
 *   say: (text: string) => void}} Versioned
 */

import { ask } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { leave } from "../../games/dom/single.js";

/** Characters of a version that the list shows. */
const MOST = 400;

/** A list, and the button that fills it. @param {Versioned} item */
export function earlierVersions(item) {
  const list = box("ul", "versions");
  const press = button("button quiet small", "Earlier versions", () => show(item, list));
  return { list, press };
}

/** @param {Versioned} item @param {HTMLElement} list */
async function show(item, list) {
  const { ok, data } = await ask("GET", `${item.url}/history`);
  if (!ok) return item.say(`No history: ${data.detail}.`);
  if (!data.history.length) return item.say("There is no earlier version.");
  list.replaceChildren(...data.history.map((/** @type {Version} */ version) => row(item, version)));
  list.querySelector("button")?.focus();
}

/** @param {Versioned} item @param {Version} version */
function row({ url, saver, say }, { revision, by, at, title, text }) {
  const when = new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const back = button("button small", "Go back to this", async () => {
    if (!(await saver.settled())) return say("Not changed: what you have typed is not saved.");
    const body = { revision: saver.revision, as_of: revision };
    const { ok, data } = await ask("PUT", url, body);
    if (!ok) return say(`Not changed: ${data.detail}.`);
    saver.drop();
    await leave(() => location.assign(location.pathname)); // a chapter's place may be another now
  });
  back.setAttribute("aria-label", `Go back to the version of ${when}`);
  const said = [title, text].filter(Boolean).join(": ");
  const words = said.length > MOST ? `${said.slice(0, MOST)} …` : said;
  const who = by ? `${when}, ${by}` : when;
  return box("li", "", box("span", "soft", who), box("span", "", words), back);
}
