// @ts-check
/** The page of news: quiet hours are those of the browser's time zone. */

const zone = /** @type {HTMLInputElement} */ (document.getElementById("id_zone"));
zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;
