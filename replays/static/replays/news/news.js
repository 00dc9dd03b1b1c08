/** The page of news: seen news are read. Quiet hours are in the browser's time zone. */

import { ask, whenSeen } from "../../games/dom/asking.js";

const zone = /** @type {HTMLInputElement | null} */ (document.getElementById("id_zone"));
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;

const { read, until } = document.getElementById("news")?.dataset ?? {};
if (read) whenSeen(() => ask("POST", read, { until }));
