/** A clip: asked for, and shown when its job is done. Fetched only then. */

import { reasonOf } from "../../games/dom/asking.js";
import { box, byId, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { answerAt } from "../jobs/waiting.js";

/** @param {HTMLElement} place @param {object} body the span and the view @param {() => boolean} wanted */
export async function makeClip(place, body, wanted) {
  const title = gettext("Making the clip");
  try {
    /** @type {import("api").MadeClip} */
    const { url } = await answerAt(place.dataset.url ?? "", place, title, { body, wanted });
    if (!wanted()) return;
    const picture = box("img", { src: url, alt: gettext("Clip") });
    const save = box("a", { class: "button", href: url, download: "" }, gettext("Save clip"));
    place.replaceChildren(picture, box("p", "row", save));
  } catch (why) {
    if (wanted()) write(byId("share-said"), reasonOf(why));
  }
}
