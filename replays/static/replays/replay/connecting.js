/** Over the table: whether a live match is followed. */

import { ConnectionStatus } from "../../games/live/connection.js";
import { lose } from "./retry.js";

/** @param {() => void} start connects again */
export function connectionOf(start) {
  const connection = new ConnectionStatus((words, way) =>
    lose({ words, label: way?.label ?? "", does: way?.does ?? start }),
  );
  addEventListener("online", start);
  addEventListener("offline", () => connection.offline());
  return connection;
}
