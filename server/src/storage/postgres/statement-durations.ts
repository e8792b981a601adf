/** The maximum number of remembered statements. Searches combine their conditions to many different texts. */
const maxStatements = 2_000;
/** So much of an earlier duration still counts at the next execution. */
const remainder = 0.9;

/** Predicts how long a statement will take from its earlier executions. The slow ones count for longer. */
export class StatementDurations {
  readonly #expected = new Map<string, number>();

  /** 0 for an unknown statement. */
  expectedMilliseconds(text: string): number {
    return this.#expected.get(text) ?? 0;
  }

  record(text: string, milliseconds: number): void {
    const expected = this.#expected.get(text);
    if (expected === undefined && this.#expected.size >= maxStatements) this.#expected.clear();
    this.#expected.set(text, Math.max(milliseconds, (expected ?? 0) * remainder));
  }
}
