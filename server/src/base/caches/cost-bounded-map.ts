interface Entry<Value> {
  readonly value: Value;
  readonly cost: number;
}

/**
 * Values by key, whose costs in all are limited: those that were set first are dropped. The value that was set last
 * stays, whatever it costs.
 */
export class CostBoundedMap<Value> {
  readonly #maxCost: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #cost = 0;

  constructor(maxCost: number) {
    this.#maxCost = maxCost;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: Value, cost: number): void {
    this.delete(key);
    this.#entries.set(key, { value, cost });
    this.#cost += cost;
    for (const oldest of this.#entries.keys()) {
      if (this.#cost <= this.#maxCost || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#cost -= entry.cost;
  }
}
