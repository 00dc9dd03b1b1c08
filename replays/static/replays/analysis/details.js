/**
 * The details of the analysis: the tabs below the table, and other ways to make the play at the
 * cursor.
 * @import { Account } from "./account.js"
 * @import { Page } from "../replay/page.js"
 * @import { Report } from "./analysis.js"
 */

import { styled } from "../../games/dom/elements.js";
import { accountOf } from "./account.js";
import { fill } from "./analysis.js";
import { Decisions } from "./decisions.js";
import { playAddress, playLink, stopBefore } from "./momentlist.js";
import { Judging, OnePlay } from "./oneplay.js";
import { PlayerTable } from "./playertable.js";
import { Races } from "./races.js";
import { ScreenView } from "./screenview.js";

const style = styled(new URL("./details.css", import.meta.url).href);

/** @param {Page} page @param {Account} account @param {number | null} own the reader's seat */
export async function points(page, account, own) {
  await style;
  fill(page, [{ name: "points", nodes: () => accountOf(account, page, own) }]);
}

/** @param {HTMLElement} panel @param {Page} page @param {Report} report */
export function figures(panel, page, report) {
  const { player, names } = page;
  const races = new Races(page, report.races ?? []);
  const { missed_takes = [], judgements = [] } = report;
  const logged = { missed_takes, judgements };
  const takes = new Decisions(page, logged, panel.dataset.decisions ?? "");
  /** @type {import("./races.js").Show} */
  const show = {
    race: (/** @type {number} */ seq) => races.at(seq),
    open: (/** @type {import("./raceaxis.js").Race} */ race) => {
      page.call("openTab", "races");
      races.open(race);
    },
  };
  const table = new PlayerTable(names);
  table.show(report.players ?? []);
  fill(page, [
    { name: "players", nodes: () => [table.element] },
    { name: "races", nodes: () => [races.element] },
    {
      name: "decisions",
      nodes: () => {
        takes.look();
        return [takes.element];
      },
    },
  ]);
  const judging = new Judging(panel.dataset.try ?? "", names);
  const screens = new ScreenView(page, panel.dataset.url ?? "", report.ways_ms ?? []);
  races.offers = (race) => judging.ofRace(race, player);
  races.screen = (race) => screens.buttons(race);
  const ghosts = panel.dataset.race;
  races.action = (race) => {
    const { events } = player.log.rounds[race.round - 1];
    const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
    return ghosts ? playLink(playAddress(ghosts, race, events), names[seat]) : null;
  };
  offerOnePlay(page, judging, judgements);
  const named = page.state.race === null ? null : races.at(page.state.race);
  if (named) races.open(named);
  return show;
}

/**
 * The play at the cursor, in the tab where other moves are tried.
 * @param {Page} page @param {Judging} judging
 * @param {import("./oneplay.js").Judgement[]} judgements
 */
function offerOnePlay(page, judging, judgements) {
  const place = document.getElementById("one-play");
  if (!place) return;
  const play = new OnePlay(place, page, judging, judgements);
  const look = () => {
    place.hidden = page.state.line !== null; // a what-if has no plays to change
    if (page.state.tab !== "what-if") return;
    stopBefore(page.player);
    play.show();
  };
  page.onChange(["tab", "line"], look);
  look();
}
