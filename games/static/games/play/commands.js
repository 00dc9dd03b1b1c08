/**
 * The keys of a seat: each does what its button or card does.
 * @typedef {import("./controller.js").SeatController} SeatController
 * @typedef {NonNullable<ReturnType<typeof commandOf>>} Command
 */

import { keepsKey } from "../dom/keptkeys.js";
import { commandOf } from "./keyboard.js";

/** @param {SeatController} seat */
export function bindKeys(seat) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || keepsKey(event.target, event.key) || !seat.controls) return;
    const command = commandOf(event, seat.settings.keys, seat.names.length);
    if (command && obey(seat, command)) event.preventDefault();
  });
}

/** Does what a key asks; whether it meant anything now. @param {SeatController} seat @param {Command} command */
function obey(seat, command) {
  if (command.do === "step") seat.lookback.step(command.by);
  else if (command.do === "now") seat.lookback.end();
  else if (!seat.playing) return false;
  else if (seat.here()) act(seat, command);
  return true;
}

/** @param {SeatController} seat @param {Command} command */
function act(seat, command) {
  const { controls } = seat;
  if (command.do === "hand") controls?.pick(command.number);
  else if (command.do === "slot") controls?.layOn(command.number);
  else if (command.do === "draw") seat.draw();
  else if (command.do === "discard") controls?.discard();
  else if (command.do === "out") seat.out();
  else controls?.letGo();
  seat.show([], true);
}
