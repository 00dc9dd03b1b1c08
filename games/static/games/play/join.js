/** An invitation is behind the # of its link. It is posted, so that it never appears in a log. */

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#invitation"));

function follow() {
  const said = decodeURIComponent(location.hash.slice(1));
  if (!field || !said) return;
  field.value = said;
  history.replaceState(null, "", location.pathname);
  field.form?.requestSubmit();
}

follow();
// Opening another link in this tab changes only what is behind the #.
addEventListener("hashchange", follow);
