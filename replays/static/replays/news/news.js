/** The page of news: seen news are read. */

import { ask, whenSeen } from "../../games/dom/asking.js";

const { read, until } = document.getElementById("news")?.dataset ?? {};
if (read) whenSeen(() => ask("POST", read, { until }));
