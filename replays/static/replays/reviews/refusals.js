/** Why something in a review was refused, in words (`REFUSALS` of `replays/reviews/room.py`). */

import { gettext } from "../../games/words/gettext.js";

/** By code. @type {Record<string, string>} */
const WORDS = {
  ended: gettext("The review has ended."),
  "not-leader": gettext("Only the leader can do that."),
  "not-owner": gettext("Only the person who started the review can do that."),
  nameless: gettext("Choose a name first."),
  "no-such": gettext("There is no such moment or person here."),
  full: gettext("A review has at most 100 moments."),
  muted: gettext("You are muted in this review."),
  silenced: gettext("Someone who is muted cannot lead."),
  "too-often": gettext("Too many at once: wait a moment."),
};

/** @param {string} code */
export const refusalWords = (code) => WORDS[code] ?? gettext("That did not work.");
