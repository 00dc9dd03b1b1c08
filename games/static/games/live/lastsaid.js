/**
 * The writer's last chat line, until all have heard it or it is refused. No DOM.
 * @import { ErrorFrame, ReviewErrorFrame } from "frames"
 */

import { gettext } from "../words/gettext.js";

const WORDS = /** @type {Record<string, string>} */ ({
  "too-often": gettext("Slow down: at most five messages in ten seconds."),
  muted: gettext("You are muted here."),
  nameless: gettext("Choose a name first."),
  "chat-off": gettext("Chat is off here."),
  closed: gettext("The chat is closed to you while the group is at this chapter."),
  unavailable: gettext("That was not sent. Try again."),
  "bad-frame": gettext("That can’t be sent. Remove unusual characters."),
});

export class LastSaid {
  constructor() {
    this.text = "";
  }

  /**
   * Lines have come. Only an equal text under the same name is the writer's last line.
   * @param {{by: string, text: string}[]} lines @param {string} own the writer's name
   */
  heard(lines, own) {
    if (lines.some(({ by, text }) => by === own && text === this.text)) this.text = "";
  }

  /**
   * Why something is refused, if that can be about a chat, and the text to write again.
   * @param {(ErrorFrame | ReviewErrorFrame)["code"]} code
   */
  refused(code) {
    const why = WORDS[code] ?? "";
    const text = why && this.text;
    if (why) this.text = "";
    return { why, text };
  }
}
