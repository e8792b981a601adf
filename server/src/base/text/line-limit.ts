/** Limits how often the same kind of line is logged, so that an overloaded service does not fill the disk. */
export class LineLimit {
  readonly #maxLines: number;
  readonly #windowMilliseconds: number;
  readonly #now: () => number;
  #windowEnd = 0;
  #lines = 0;
  #omitted = 0;

  /** @param now the time in milliseconds, from any beginning */
  constructor(maxLines: number, windowMilliseconds: number, now: () => number = () => performance.now()) {
    this.#maxLines = maxLines;
    this.#windowMilliseconds = windowMilliseconds;
    this.#now = now;
  }

  /** Returns the number of lines omitted since the last one, or undefined if this one should be omitted too. */
  next(): number | undefined {
    const now = this.#now();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + this.#windowMilliseconds;
      this.#lines = 0;
    }
    if (this.#lines >= this.#maxLines) {
      this.#omitted += 1;
      return undefined;
    }
    this.#lines += 1;
    const omitted = this.#omitted;
    this.#omitted = 0;
    return omitted;
  }
}
