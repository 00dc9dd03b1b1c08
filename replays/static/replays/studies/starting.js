// @ts-check
/** Starts a question: by a form, since that changes what the learner may see. */

/**
 * @param {{study: string, number: number, csrf: string}} question
 * @param {Record<string, string>} fields
 */
export function startQuestion({ study, number, csrf }, fields = {}) {
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    action: `/studies/${study}/${number}/start`,
  });
  for (const [name, value] of Object.entries({ csrfmiddlewaretoken: csrf, ...fields }))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}
