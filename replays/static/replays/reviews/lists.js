/**
 * Who is in a review, and its moments, as lists.
 * @typedef {import("./session.js").ReviewSession} Session
 * @typedef {import("./session.js").Moment} Moment
 * @typedef {{timeOf: (moment: Moment) => string, open: (moment: Moment) => void,
 *   dismiss: (moment: Moment) => void, pass: (member: number) => void, lower: (member: number) => void,
 *   mute: (member: number, muted: boolean) => void}} Way
 */

import { box, button, byId, redraw, write } from "../../games/dom/elements.js";

/**
 * A button with more words for who does not see the row.
 * @param {string} kind @param {string} words
 * @param {string} label what it does, among others of its kind
 * @param {() => void} run
 */
export function labelled(kind, words, label, run) {
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
      ...(n === leader ? ["leads"] : []),
      ...(n === you ? ["you"] : []),
      ...(raised.has(n) ? [raised.get(n) ? "asks to lead" : "hand up"] : []),
      ...(muted.includes(n) ? ["muted"] : []),
      ...(detached && n !== leader && !ended ? ["looking around"] : []),
    ];
    const who = box("span", "review-person cut", box("bdi", "", name));
    who.dir = "auto"; // its beginning stays, whichever side that is
    if (!account) who.append(box("span", "chat-guest", " guest"));
    const row = box("li", n === leader ? "is-leader" : raised.has(n) ? "is-asking" : "", who);
    row.append(...badges.map((words) => box("span", "review-badge", words)));
    if (mayPass && n !== you && raised.has(n))
      row.append(
        labelled("button small", "Lower hand", `Lower ${name}’s hand`, () => way.lower(n)),
      );
    if (mayPass && n !== leader && !muted.includes(n))
      row.append(labelled("button small", "Hand over", `Hand over to ${name}`, () => way.pass(n)));
    if (mayMute && n !== owner) {
      const words = muted.includes(n) ? "Unmute" : "Mute";
      row.append(
        labelled("button small", words, `${words} ${name}`, () => way.mute(n, words === "Mute")),
      );
    }
    return row;
  });
  const rest = session.here - people.length;
  if (rest > 0) rows.push(box("li", "review-rest", `and ${rest} without a name`));
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
    const what = moment.text || (moment.drawn ? "Marks" : "Look here");
    const time = way.timeOf(moment);
    const open = labelled("review-moment bare", "", `${what}, by ${moment.by}, at ${time}`, () =>
      way.open(moment),
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
        labelled("chat-tool bare", "Remove", `Remove ${what}, by ${moment.by}`, () =>
          way.dismiss(moment),
        ),
      );
    return row;
  });
  redraw(byId("review-moments"), rows);
  byId("review-no-moments").hidden = moments.length > 0;
}
