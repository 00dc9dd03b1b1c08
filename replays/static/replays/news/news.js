/** The page of news: quiet hours in the browser's time zone. */

const zone = /** @type {HTMLInputElement} */ (document.getElementById("id_zone"));
zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;
