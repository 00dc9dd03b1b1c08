/** What every page of the site does. It runs before the page's own modules. */

import { listen } from "../../games/dom/faults.js";
import { sendFormsOnce } from "../../games/dom/once.js";
import { localise } from "../../games/dom/pages.js";
import { sendLater } from "./sending.js";

listen((body) => navigator.sendBeacon("/faults", body), window);
sendFormsOnce();
sendLater(document.body);
localise(document);
