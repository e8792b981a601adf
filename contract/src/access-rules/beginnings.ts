/** Finds what a text begins with. A search takes a step for each different length of the beginnings, not for each of them. */
export class Beginnings<Value> {
  readonly #byText = new Map<string, Value>();
  /** The longest first. */
  #lengths: readonly number[] = [];

  get isEmpty(): boolean {
    return this.#byText.size === 0;
  }

  add(text: string, value: Value): void {
    this.#byText.set(text, value);
    if (this.#lengths.includes(text.length)) return;
    this.#lengths = [...this.#lengths, text.length].sort((one, other) => other - one);
  }

  get(text: string): Value | undefined {
    return this.#byText.get(text);
  }

  values(): Value[] {
    return [...this.#byText.values()];
  }

  /** The value of the longest that a text begins with: the first of `of`. */
  firstOf(text: string): Value | undefined {
    for (const length of this.#lengths) {
      const value = length <= text.length ? this.#byText.get(text.slice(0, length)) : undefined;
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The values of those that a text begins with, the longest first. */
  of(text: string): Value[] {
    const found: Value[] = [];
    for (const length of this.#lengths) {
      const value = length <= text.length ? this.#byText.get(text.slice(0, length)) : undefined;
      if (value !== undefined) found.push(value);
    }
    return found;
  }
}
