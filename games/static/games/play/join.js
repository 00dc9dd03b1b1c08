// @ts-check
/** An invitation stands behind the # of its link: post it, so that it never is in a log. */

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#invitation"));

function follow() {
  const said = decodeURIComponent(location.hash.slice(1));
  if (!field || !said) return;
  field.value = said;
  history.replaceState(null, "", location.pathname);
  field.form?.requestSubmit();
}

follow();
// Another link that is opened in this tab changes nothing but what stands behind the #.
addEventListener("hashchange", follow);
