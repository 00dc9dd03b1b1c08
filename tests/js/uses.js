/** What fits where only a 1 starts and neighbours follow; a wild takes. */
export const USES = [
  [[], [null], [], [], [], [], []],
  [[], [], [null], [], [], [], [null]],
  [[], [null], [], [null], [], [], [null]],
  [[], [], [null], [], [null], [], [null]],
  [[], [], [], [null], [], [null], [null]],
];
