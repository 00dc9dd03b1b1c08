/** Whether a question is beside its table (`question.css`). */
export const WIDE = matchMedia("(width >= 64rem), (width >= 40rem) and (height <= 30rem)");
