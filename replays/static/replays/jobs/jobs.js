/**
 * Bars of the visitor's jobs move on. When a job has ended the page is loaded again. Other people's
 * jobs, also strangers', are not shown: their page is loaded again now and then.
 */

import { request } from "../../games/dom/asking.js";
import { AGAIN_MS, active, warn, words } from "./waiting.js";

/** @import { Jobs, JobJson } from "api" */

const RELOAD_MS = 3000;
/** @type {Jobs} */
const NONE = { jobs: [], warning: "" };

/** @param {HTMLElement} item @param {JobJson} job whether it is still to be watched */
function show(item, job) {
  const bar = item.querySelector("progress");
  const state = item.querySelector(".job-state");
  if (bar) bar.value = job.done;
  if (state) state.textContent = words(job);
}

async function follow() {
  const asked = document.hidden ? null : await request("GET /api/v1/jobs", "/api/v1/jobs");
  const { jobs, warning } = asked?.ok ? asked.data : NONE; // the server may not say
  if (jobs.length) warn(document.querySelector(".job-warning"), warning);
  for (const item of document.querySelectorAll(".job:has(progress)")) {
    if (!(item instanceof HTMLElement)) continue;
    const job = jobs.find(({ key }) => key === item.dataset.key);
    if (job && !active(job)) return location.reload();
    if (job) show(item, job);
  }
  setTimeout(follow, AGAIN_MS);
}

if (document.querySelector(".job[data-key='']")) setTimeout(() => location.reload(), RELOAD_MS);
else follow();
