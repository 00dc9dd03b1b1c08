/**
 * What the commands of the keys and buttons do to the player. No DOM.
 * @import { Page } from "./page.js"
 * @import { Command } from "./shortcuts.js"
 */

/** @param {Page} page */
export function bindCommands(page) {
  const { player } = page;
  /** @param {() => unknown} move a manual step stops playing */
  const byHand = (move) => () => {
    player.pause();
    move();
  };
  const commands = {
    toggle: () => player.toggle(),
    eventBack: byHand(() => player.stepEvent(-1)),
    eventOn: byHand(() => player.stepEvent(1)),
    secondBack: () => player.stepTime(-1000),
    secondOn: () => player.stepTime(1000),
    takeBack: byHand(() => player.stepTake(-1)),
    takeOn: byHand(() => player.stepTake(1)),
    // Until the moments are known.
    momentBack: byHand(() => player.stepTake(-1)),
    momentOn: byHand(() => player.stepTake(1)),
    raceBack: byHand(() => player.stepRace(-1)),
    raceOn: byHand(() => player.stepRace(1)),
    roundBack: byHand(() => player.stepRound(-1)),
    roundOn: byHand(() => player.stepRound(1)),
    slower: () => player.changeSpeed(-1),
    faster: () => player.changeSpeed(1),
    home: byHand(() => player.home()),
    // If results are hidden there is no end to go to yet, as the line beside the clock says.
    end: byHand(() => player.log.endHidden || player.end()),
    follow: byHand(() => player.follow()),
    smart: () => player.setSmart(!player.smart),
  };
  for (const [name, run] of Object.entries(commands))
    page.command(/** @type {Command} */ (name), run);
}
