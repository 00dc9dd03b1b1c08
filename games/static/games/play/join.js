// @ts-check
/** An invitation stands behind the # of its link: post it, so that it never is in a log. */

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#invitation"));
const said = decodeURIComponent(location.hash.slice(1));
if (field && said) {
  field.value = said;
  history.replaceState(null, "", location.pathname);
  field.form?.requestSubmit();
}
