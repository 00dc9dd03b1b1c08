/**
 * Who is in a review, and its moments, as lists.
 * @typedef {import("./session.js").ReviewSession} Session
 * @typedef {import("./session.js").Moment} Moment
 * @typedef {{timeOf: (moment: Moment) => string, open: (moment: Moment) => void,
 *   dismiss: (moment: Moment) => void, pass: (member: number) => void, lower: (member: number) => void,
 *   mute: (member: number, muted: boolean) => void}} Way
 */

import { box, button, byId, redraw, write } from "../../games/dom/elements.js";
import { gettext, ngettext } from "../../games/words/gettext.js";

/**
 * A button with more words for who does not see the row.
 * @param {string} kind @param {string} words
 * @param {string} label what it does, among others of its kind
 * @param {() => void} run
 */
export function namedButton(kind, words, label, run) {
  const element = button(kind, words, run);
  if (words) element.setAttribute("aria-label", label);
  return element;
}

/** @param {Session} session @param {Way} way */
export function listPeople(session, way) {
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
    const row = box("li", n === leader ? "is-leader" : raised.has(n) ? "is-asking" : "", who);
    row.append(...badges.map((words) => box("span", "review-badge", words)));
    if (mayPass && n !== you && raised.has(n))
      row.append(
        namedButton(
          "button small",
          gettext("Lower hand"),
          gettext("Lower {name}’s hand", { name }),
          () => way.lower(n),
        ),
      );
    if (mayPass && n !== leader && !muted.includes(n))
      row.append(
        namedButton(
          "button small",
          gettext("Hand over"),
          gettext("Hand over to {name}", { name }),
          () => way.pass(n),
        ),
      );
    if (mayMute && n !== owner) {
      const off = muted.includes(n);
      const words = off ? gettext("Unmute") : gettext("Mute");
      const label = off ? gettext("Unmute {name}", { name }) : gettext("Mute {name}", { name });
      row.append(namedButton("button small", words, label, () => way.mute(n, !off)));
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
    const open = namedButton(
      "review-moment bare",
      "",
      gettext("{what}, by {by}, at {time}", { what, by: moment.by, time }),
      () => way.open(moment),
    );
    open.append(
      box("span", "review-when", time),
      box("span", "review-what", what),
      box("span", "review-by", moment.by),
    );
    const row = box("li", moment.drawn ? "is-drawn" : "is-suggested", open);
    const may = leading || (you !== null && you === moment.member && you !== leader);
    if (may && !session.ended)
      row.append(
        namedButton(
          "chat-tool bare",
          gettext("Remove"),
          gettext("Remove {what}, by {by}", { what, by: moment.by }),
          () => way.dismiss(moment),
        ),
      );
    return row;
  });
  redraw(byId("review-moments"), rows);
  byId("review-no-moments").hidden = moments.length > 0;
}
