import type { Database } from './database.ts';

const longestMilliseconds = 10_000;
const mostValues = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly foundAt: number;
  readonly signals: number;
}

/**
 * Values of the store that are asked for at every request. One is remembered for at most 10 s, and looked up again as
 * soon as anybody may have changed it. What is not there is not remembered.
 */
export class Remembered<Value> {
  readonly #database: Database;
  readonly #entries = new Map<string, Entry<Value>>();
  #signals: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param load looks the value up; it is given what was remembered last */
  async find(
    key: string,
    load: (last: Value | undefined) => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const signals = this.#signalsOfThisTurn();
    const now = performance.now();
    const known = this.#entries.get(key);
    if (known && known.signals === signals && now - known.foundAt < longestMilliseconds) return known.value;

    const value = await load(known?.value);
    this.#entries.delete(key);
    if (value === undefined) return undefined;
    if (this.#entries.size >= mostValues) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, { value, foundAt: now, signals });
    return value;
  }

  /** What was found last, however long ago. */
  last(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Asked once a turn of the event loop: requests that arrive together see the same. */
  #signalsOfThisTurn(): number {
    if (this.#signals === undefined) {
      this.#signals = this.#database.signals();
      setImmediate(() => {
        this.#signals = undefined;
      });
    }
    return this.#signals;
  }
}
