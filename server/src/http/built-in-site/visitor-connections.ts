import { addressBucket, widerFactor } from '../shared/limits/rate-limit.ts';

/** Counts the requests and WebSockets that each client address has open, or each IPv6 network. */
export class VisitorConnections {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  /** @param max the maximum for one address; 0 for no limit */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts another one until the returned function is called. Undefined if the address has too many. */
  enter(address: string): (() => void) | undefined {
    if (this.#max === 0) return () => {};
    const counted = [addressBucket(address)].flat();
    const isFull = counted.some(
      (name, index) => this.#countOf(name) >= this.#max * (index === 0 ? 1 : widerFactor),
    );
    if (isFull) return undefined;
    for (const name of counted) this.#open.set(name, this.#countOf(name) + 1);
    return () => {
      for (const name of counted) this.#leave(name);
    };
  }

  #countOf(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #leave(name: string): void {
    const left = this.#countOf(name) - 1;
    if (left > 0) this.#open.set(name, left);
    else this.#open.delete(name);
  }
}
