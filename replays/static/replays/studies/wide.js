/** Whether a question is beside its table (`question.css`). */
export const WIDE = matchMedia("(width >= 64rem), (width >= 40rem) and (height <= 30rem)");

/** Where a tab keeps how far it was scrolled when a question was answered. */
export const ANSWERED = "ratuki.answered";
