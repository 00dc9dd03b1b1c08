/**
 * The viewer. What a viewer may not see never reaches the browser, so this only says which of the
 * known hands are open. No DOM.
 * @typedef {"all" | "spectator" | number} View  a number: that seat's own view
 */

/** Whether a viewer sees the faces of a seat's hand. @param {View} view @param {number} seat */
export const seesHand = (view, seat) => view === "all" || view === seat;
