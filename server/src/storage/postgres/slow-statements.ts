/** The maximum number of remembered statements. Searches combine their conditions to many different texts. */
const maxStatements = 500;
/** So much of an earlier duration still counts at the next execution. */
const remainder = 0.9;

/** The statements that were slow in their latest executions. The slower one was, the longer it counts as slow. */
export class SlowStatements {
  readonly #quickMilliseconds: number;
  /** The expected duration of each, in milliseconds. */
  readonly #expected = new Map<string, number>();

  /** @param quickMilliseconds what takes longer is slow */
  constructor(quickMilliseconds: number) {
    this.#quickMilliseconds = quickMilliseconds;
  }

  has(text: string): boolean {
    return this.#expected.has(text);
  }

  record(text: string, milliseconds: number): void {
    const known = this.#expected.get(text);
    if (known === undefined && milliseconds <= this.#quickMilliseconds) return;
    const expected = Math.max(milliseconds, (known ?? 0) * remainder);
    if (expected <= this.#quickMilliseconds) {
      this.#expected.delete(text);
      return;
    }
    if (known === undefined && this.#expected.size >= maxStatements) this.#expected.clear();
    this.#expected.set(text, expected);
  }
}
