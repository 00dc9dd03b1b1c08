/**
 * The page of a chapter that is closed to this visitor: it waits for the leader to go elsewhere, or
 * to show the answer. On the page of the question it stays there until the answer is revealed.
 */

import { byId, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { REVEALED } from "./revealed.js";
import { ReviewSession } from "./session.js";

const AWAY = gettext("Connection lost. Reconnecting…");

function wait() {
  const { dataset } = byId("review-waiting");
  const state = document.getElementById("review-waiting-state");
  if (dataset.ended) return;
  const session = new ReviewSession(`/ws/reviews/${dataset.key}/`, {
    changed: () => {
      const { place } = session;
      const there = place?.chapter === Number(dataset.chapter);
      const news = place && (there ? !place.withheld : !dataset.stay);
      if (!session.ended && !(news && !dataset.detached)) return;
      // It may be this page's own address: then a hash alone would load nothing.
      const next = `${dataset.home}${dataset.asked ? REVEALED : ""}`;
      if (location.pathname !== dataset.home) return location.replace(next);
      history.replaceState(null, "", next);
      location.reload();
    },
    status: (status) => state && write(state, status === "away" ? AWAY : ""),
  });
  session.start();
}

wait();
