import { addressBucket } from '../shared/rate-limit.ts';

/** Counts the requests and WebSockets that each client address has open. */
export class VisitorConnections {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  /** @param max the maximum for one address; 0 for no limit */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts another one until the returned function is called. Undefined if the address has too many. */
  enter(address: string): (() => void) | undefined {
    const bucket = addressBucket(address);
    const count = this.#open.get(bucket) ?? 0;
    if (this.#max > 0 && count >= this.#max) return undefined;
    this.#open.set(bucket, count + 1);
    return () => {
      const left = this.#open.get(bucket)! - 1;
      if (left > 0) this.#open.set(bucket, left);
      else this.#open.delete(bucket);
    };
  }
}
