// @ts-check
/**
 * The page of a chapter that is closed to this visitor: it waits for the leader to go elsewhere, or to
 * show what happened. While everybody is asked it leads to the question at once.
 */

import { byId, write } from "../../games/dom/elements.js";
import { ReviewSession } from "./session.js";

const AWAY = "Connection lost. Reconnecting …";

function wait() {
  const { dataset } = byId("review-waiting");
  const state = byId("review-waiting-state");
  if (dataset.ended) return;
  if (dataset.question) {
    location.replace(dataset.question);
    return;
  }
  const url = `${location.protocol.replace("http", "ws")}//${location.host}/ws/reviews/${dataset.key}/`;
  const session = new ReviewSession(url, {
    changed: () => {
      const { place } = session;
      // A place without a name is withheld.
      const news = place && (place.chapter !== Number(dataset.chapter) || place.id);
      if (session.ended || (news && !dataset.detached)) location.replace(dataset.home ?? "");
    },
    status: (status) => write(state, status === "away" ? AWAY : ""),
    pointer: () => {},
    note: () => {},
    chat: () => {},
    refused: () => {},
  });
  session.start();
}

wait();
