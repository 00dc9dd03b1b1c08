/**
 * Who is ahead in a live match, by the points that the table has now. No DOM.
 * @typedef {{seat: number, why: string}} Lead  who had most points, and why
 * @import { Log } from "../../games/match/log.js"
 */

import { ranking } from "../../games/match/ranking.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { listed } from "../../games/words/language.js";

const ENDLESS = { target: 0, speedy: false };

/** Each seat's points at the end of the known part of a log. @param {Log} log */
export function pointsNow(log) {
  const round = log.last;
  if (!round?.timeline) return log.carried ?? log.match.seats.map(() => 0);
  const before = round.end?.totals ?? log.totalsBefore(round);
  const table = round.timeline.tableAt(round.events.length);
  return ranking(table, before, log.match.rules ?? ENDLESS).map(({ total }) => total);
}

/**
 * The match in a sentence.
 * @param {string[]} names @param {number[]} totals @param {Lead | null} lead
 */
export function headline(names, totals, lead) {
  const most = Math.max(...totals);
  const ahead = totals.flatMap((total, seat) => (total === most ? [seat] : []));
  if (ahead.length === totals.length) return gettext("All are level.");
  if (ahead.length > 1)
    return gettext("{names} lead together.", { names: listed(ahead.map((seat) => names[seat])) });
  const second = Math.max(...totals.filter((_, seat) => seat !== ahead[0]));
  const said = ngettext(
    "{name} leads by {count} point.",
    "{name} leads by {count} points.",
    most - second,
    { name: names[ahead[0]] },
  );
  return lead?.seat === ahead[0] ? `${said} ${lead.why}` : said;
}
