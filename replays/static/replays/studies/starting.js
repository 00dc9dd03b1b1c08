/** Starts a question: by a form, since that changes what the learner may see. */

import { token } from "../../games/dom/asking.js";
import { box } from "../../games/dom/elements.js";

/** @param {{study: string, number: number}} question @param {Record<string, string>} fields */
export function startQuestion({ study, number }, fields = {}) {
  const form = box("form", { method: "post", action: `/studies/${study}/${number}/start` });
  for (const [name, value] of Object.entries({ csrfmiddlewaretoken: token(), ...fields }))
    form.append(box("input", { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}
