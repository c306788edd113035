// Taps that wait for their answer: the button spins until the answer to its last tap has come.

export class Taps {
  #waiting = new Map(); // callback_query_id -> the button's place
  #sending = new Map(); // place -> taps whose id isn't known yet
  #early = new Set(); // answers that came before the id of their tap

  /** `show(place, busy)` is told when a button's state may have changed. */
  constructor(show) {
    this.show = show;
  }

  busy(place) {
    return this.#sending.has(place) || [...this.#waiting.values()].includes(place);
  }

  /** Taps by calling `send`, a promise of the callback query's id. */
  async tap(place, send) {
    this.#count(place, 1);
    this.show(place, true);
    try {
      const id = await send();
      if (!this.#early.delete(id)) this.#waiting.set(id, place);
    } finally {
      this.#count(place, -1);
      this.show(place, this.busy(place));
    }
  }

  answered(id) {
    const place = this.#waiting.get(id);
    if (!this.#waiting.delete(id)) {
      // Answers to taps from another window of the same person would pile up.
      if (this.#sending.size) this.#early.add(id);
      return;
    }
    this.show(place, this.busy(place));
  }

  /** After a lost connection the answers may have been missed. */
  forget() {
    this.#waiting.clear();
    this.#early.clear();
  }

  #count(place, change) {
    const count = (this.#sending.get(place) ?? 0) + change;
    if (count > 0) this.#sending.set(place, count);
    else this.#sending.delete(place);
    if (!this.#sending.size) this.#early.clear();
  }
}
