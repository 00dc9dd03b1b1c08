/**
 * A search that is not over: its owner sees its progress, and can cancel it. Then the page is
 * loaded again, as it is now and then for everyone else.
 */

import { request } from "../../games/dom/asking.js";
import { byId } from "../../games/dom/elements.js";
import { AGAIN_MS, active, JobBar } from "../jobs/waiting.js";

const RELOAD_MS = 3000;
const place = byId("searching");
const key = place.dataset.key ?? "";
const address = `/api/v1/jobs/${key}`;

/** @param {JobBar} bar */
async function follow(bar) {
  const asked = document.hidden ? null : await request("GET /api/v1/jobs/{key}", address);
  if (asked?.ok) bar.show(asked.data); // the server may not say
  if (asked?.ok && !active(asked.data)) location.reload();
  else setTimeout(follow, AGAIN_MS, bar);
}

if (key) {
  const bar = new JobBar(() => request("DELETE /api/v1/jobs/{key}", address));
  place.append(bar.element);
  follow(bar);
} else setTimeout(() => location.reload(), RELOAD_MS);
