/** What only a live match needs. */

import { LiveSource } from "../../games/live/source.js";
import { connectionOf } from "../replay/connecting.js";

export { connectionOf, LiveSource };
