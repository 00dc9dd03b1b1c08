/** Whether there is room beside the table. */

export const WIDE = matchMedia("(width >= 72rem)");
