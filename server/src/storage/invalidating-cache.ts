import { CostBoundedMap } from '../base/caches/cost-bounded-map.ts';
import type { Database } from './database.ts';

const maxMilliseconds = 10_000;
/** For values that hardly differ in size. */
const maxValues = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly foundAt: number;
  readonly signals: number;
  readonly receivedSignals: number;
}

/**
 * Caches values of the store that every request needs. A value is cached for at most 10 s, and loaded again as soon as
 * any process may have changed it. Missing values are not cached.
 */
export class InvalidatingCache<Value> {
  readonly #database: Database;
  readonly #entries: CostBoundedMap<Entry<Value>>;
  readonly #costOf: (value: Value) => number;
  #signals: number | undefined;

  /** @param costOf the part of `maxCost` that a value takes */
  constructor(database: Database, maxCost = maxValues, costOf: (value: Value) => number = () => 1) {
    this.#database = database;
    this.#entries = new CostBoundedMap(maxCost);
    this.#costOf = costOf;
  }

  /** @param load loads the value; it receives the previously cached value */
  async find(
    key: string,
    load: (last: Value | undefined) => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const signals = this.#signalsOfThisTurn();
    const now = performance.now();
    const known = this.#entries.get(key);
    if (known && known.signals === signals && now - known.foundAt < maxMilliseconds) return known.value;

    const receivedSignals = this.#database.receivedSignals();
    const value = await load(known?.value);
    this.#entries.delete(key);
    if (value === undefined) return undefined;
    this.#entries.set(key, { value, foundAt: now, signals, receivedSignals }, this.#costOf(value));
    return value;
  }

  /** The value found last, no matter how old it is. */
  last(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The value found last, unless it is known that it may have changed since. For the time of an outage. */
  lastUnchanged(key: string): Value | undefined {
    const known = this.#entries.get(key);
    return known?.receivedSignals === this.#database.receivedSignals() ? known.value : undefined;
  }

  /** Checked once per turn of the event loop, so that requests that arrive together see the same value. */
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
