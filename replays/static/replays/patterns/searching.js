/**
 * A search that is not over: its progress, which its owner can cancel. Then the page is loaded
 * again.
 */

import { request } from "../../games/dom/asking.js";
import { byId } from "../../games/dom/elements.js";
import { AGAIN_MS, active, JobBar } from "../jobs/waiting.js";

const place = byId("searching");
/** @type {JobBar | null} */
let bar = null;

async function follow() {
  const address = `/api/v1/patterns/${place.dataset.key}`;
  const asked = document.hidden ? null : await request("GET /api/v1/patterns/{key}", address);
  const job = asked?.ok ? asked.data.job : null; // the server may not say
  if (asked?.ok && !(job && active(job))) return location.reload();
  if (job && !bar) {
    bar = new JobBar(job.key);
    place.append(bar.element);
  }
  if (job) bar?.show(job);
  setTimeout(follow, AGAIN_MS);
}

follow();
