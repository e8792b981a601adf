/**
 * Exponential backoff: the pause doubles with each failure, up to a limit, with jitter so that processes do not retry
 * at the same time.
 */
export class Backoff {
  readonly #firstMilliseconds: number;
  readonly #maxMilliseconds: number;
  readonly #random: () => number;

  constructor(firstMilliseconds: number, maxMilliseconds: number, random: () => number = Math.random) {
    this.#firstMilliseconds = firstMilliseconds;
    this.#maxMilliseconds = maxMilliseconds;
    this.#random = random;
  }

  /** The pause after a number of consecutive failures (at least 1), in milliseconds, with a jitter of ±25 %. */
  pauseAfter(failures: number): number {
    const pause = Math.min(this.#firstMilliseconds * 2 ** (failures - 1), this.#maxMilliseconds);
    return withJitter(pause, 0.25, this.#random);
  }
}

/** A pause that is at most this part shorter or longer. @param random a number of at least 0 and less than 1 */
export function withJitter(milliseconds: number, part: number, random: () => number): number {
  return Math.round(milliseconds * (1 - part + random() * 2 * part));
}
