/**
 * Who is in a review, and its moments, as lists.
 * @typedef {import("./session.js").ReviewSession} Session
 * @typedef {import("./session.js").Moment} Moment
 * @typedef {import("./session.js").Say} Say
 * @typedef {{timeOf: (moment: Moment) => string, open: (moment: Moment) => void, say: Say}} Way
 */

import { box, button, byId, redraw, write } from "../../games/dom/elements.js";
import { tool } from "../../games/live/chat.js";
import { gettext, ngettext } from "../../games/words/gettext.js";

/** @param {string} words @param {string} label for who does not see the row @param {() => void} run */
const labelled = (words, label, run) =>
  button({ class: "button small", "aria-label": label }, words, run);

/** @param {{n: number, name: string}} member @param {Say} say */
export const lowerHand = ({ n, name }, say) =>
  labelled(gettext("Lower hand"), gettext("Lower {name}’s hand", { name }), () =>
    say("lower", { n }),
  );

/** @param {{n: number, name: string}} member @param {Say} say */
export const handOver = ({ n, name }, say) =>
  labelled(gettext("Hand over"), gettext("Hand over to {name}", { name }), () =>
    say("pass", { to: n }),
  );

/** @param {Session} session @param {Say} say */
export function listPeople(session, say) {
  const { people, hands, leader, you, owner, leading, muted, ended } = session;
  const raised = new Map(hands.map((hand) => [hand.n, hand.lead]));
  const mayPass = (leading || you === owner) && !ended;
  const mayMute = you === owner && !ended;
  const order = [...people].sort(
    (a, b) =>
      Number(b.n === leader) - Number(a.n === leader) ||
      Number(raised.has(b.n)) - Number(raised.has(a.n)) ||
      a.n - b.n,
  );
  const rows = order.map(({ n, name, account, detached }) => {
    const badges = [
      ...(n === leader ? [gettext("leads")] : []),
      ...(n === you ? [gettext("you")] : []),
      ...(raised.has(n) ? [raised.get(n) ? gettext("asks to lead") : gettext("hand up")] : []),
      ...(muted.includes(n) ? [gettext("muted")] : []),
      ...(detached && n !== leader && !ended ? [gettext("looking around")] : []),
    ];
    const who = box("span", "review-person cut", box("bdi", "", name));
    who.dir = "auto"; // its beginning stays, whichever side that is
    if (!account) who.append(box("span", "chat-guest", ` ${gettext("guest")}`));
    const row = box(
      "li",
      `row ${n === leader ? "is-leader" : raised.has(n) ? "is-asking" : ""}`,
      who,
    );
    row.append(...badges.map((words) => box("span", "review-badge", words)));
    if (mayPass && n !== you && raised.has(n)) row.append(lowerHand({ n, name }, say));
    if (mayPass && n !== leader && !muted.includes(n)) row.append(handOver({ n, name }, say));
    if (mayMute && n !== owner) {
      const off = muted.includes(n);
      const words = off ? gettext("Unmute") : gettext("Mute");
      const label = off ? gettext("Unmute {name}", { name }) : gettext("Mute {name}", { name });
      row.append(labelled(words, label, () => say("mute", { n, muted: !off })));
    }
    return row;
  });
  const rest = session.here - people.length;
  if (rest > 0)
    rows.push(
      box(
        "li",
        "review-rest",
        ngettext("and {count} without a name", "and {count} without a name", rest),
      ),
    );
  redraw(byId("review-people"), rows);
  write(byId("review-count"), session.here ? String(session.here) : "");
}

/** @param {Session} session @param {Way} way */
export function listMoments(session, way) {
  const { leading, you, leader } = session;
  const moments = [...session.moments.values()].sort(
    (a, b) => a.chapter - b.chapter || a.round - b.round || a.event - b.event || a.n - b.n,
  );
  const rows = moments.map((moment) => {
    const what = moment.text || (moment.drawn ? gettext("Marks") : gettext("Look here"));
    const time = way.timeOf(moment);
    const words = [
      box("span", "review-when", time),
      box("span", "review-what", what),
      box("span", "review-by cut", moment.by),
    ];
    const open = button("review-moment bare", words, () => way.open(moment));
    const row = box("li", "line", open);
    const may = leading || (you !== null && you === moment.member && you !== leader);
    if (may && !session.ended)
      row.append(
        tool(gettext("Remove"), gettext("Remove {what}, by {by}", { what, by: moment.by }), () =>
          way.say("dismiss", { n: moment.n }),
        ),
      );
    return row;
  });
  redraw(byId("review-moments"), rows);
  byId("review-no-moments").hidden = moments.length > 0;
}
