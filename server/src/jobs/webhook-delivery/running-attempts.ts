import type { Timers } from '../../base/timers.ts';

/** Attempts that are made at the same time. After an error the others end first, so that none is made twice at once. */
export class RunningAttempts {
  readonly #timers: Timers;
  readonly #failures: unknown[] = [];
  #count = 0;
  #hasStarted = false;
  /** Whether one has ended since `oneEnds` returned. */
  #hasEnded = false;
  #wake = () => {};

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether any was made. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  add(attempt: Promise<void>): void {
    this.#count += 1;
    this.#hasStarted = true;
    void attempt.catch(this.fail).then(() => {
      this.#count -= 1;
      this.#hasEnded = true;
      this.#wake();
    });
  }

  readonly fail = (error: unknown): undefined => {
    this.#failures.push(error);
  };

  /** Waits until one ends, or has ended since the last call, but no longer than this. */
  async oneEnds(maxMilliseconds?: number): Promise<void> {
    if (!this.#hasEnded) await this.#untilWoken(maxMilliseconds);
    this.#hasEnded = false;
  }

  /** @throws the first error */
  throwFailure(): void {
    if (this.hasFailed) throw this.#failures[0];
  }

  #untilWoken(maxMilliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = maxMilliseconds === undefined ? undefined : this.#timers.after(maxMilliseconds, resolve);
      this.#wake = () => {
        cancel?.();
        resolve();
      };
    });
  }
}
