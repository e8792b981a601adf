import { StoreUnavailable } from './errors.ts';

/** Limits the number of concurrent tasks, and the time a task waits for its start. */
export class Semaphore {
  #free: number;
  readonly #waitMilliseconds: number;
  readonly #waiting = new Set<() => void>();
  readonly #onWaited: (milliseconds: number) => void;

  /** @param onWaited called with the time that a task has waited, also in vain */
  constructor(count: number, waitMilliseconds: number, onWaited: (milliseconds: number) => void = () => {}) {
    this.#free = count;
    this.#waitMilliseconds = waitMilliseconds;
    this.#onWaited = onWaited;
  }

  /** The number of tasks that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws {StoreUnavailable} when no slot was free in time */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #turn(): Promise<void> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        this.#onWaited(performance.now() - since);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        this.#onWaited(performance.now() - since);
        reject(
          new StoreUnavailable(new Error(`No connection was free within ${this.#waitMilliseconds} ms.`)),
        );
      }, this.#waitMilliseconds);
      this.#waiting.add(take);
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
