/** Which of several requests' answers is shown: of the latest that was asked for. */

export class Newest {
  constructor() {
    this.asked = 0;
    this.answered = 0;
  }

  /** Something is asked for. @returns {() => boolean} for its answer: whether that is to be shown */
  ask() {
    this.asked += 1;
    const { asked } = this;
    return () => {
      if (asked < this.answered) return false;
      this.answered = asked;
      return true;
    };
  }
}
