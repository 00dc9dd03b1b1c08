// @ts-check

import { box, byId } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

/**
 * Leads from the last chosen item of a list to the situation of a seat before a line.
 * @param {Element | undefined} item
 * @param {{round: number, seq: number, seat: number | string | undefined}} place
 */
export function offerSituation(item, { round, seq, seat }) {
  for (const other of document.querySelectorAll(".moment-alike")) other.remove();
  if (seat === undefined) return;
  const href = `${byId("panel-analysis").dataset.situations}&round=${round}&seq=${seq}&seat=${seat}`;
  const title = gettext("How often and how soon players take such a stack");
  const look = "button small moment-alike";
  item?.append(box("a", { class: look, href, title }, gettext("Such situations")));
}
