/** The pauses between the attempts to do something that fails, the same for each attempt or longer with each failure. */
export interface RetrySchedule {
  /** The pause after the first and each further consecutive failure, in milliseconds. The last one is repeated. */
  readonly pauses: readonly number[];
  /** Each pause is multiplied by a random number between these two, so that not all attempts come at the same moment. */
  readonly spread: readonly [number, number];
}

/** Exponential backoff: pauses that double with each failure from the first to the maximum, in milliseconds. */
export function doublingPauses(
  firstMilliseconds: number,
  maxMilliseconds: number,
  spread: RetrySchedule['spread'] = [0.75, 1.25],
): RetrySchedule {
  const pauses: number[] = [];
  for (let pause = firstMilliseconds; pause < maxMilliseconds; pause *= 2) pauses.push(pause);
  return { pauses: [...pauses, maxMilliseconds], spread };
}

/**
 * The pause after a number of consecutive failures (at least 1), in milliseconds.
 * @param random a number of at least 0 and less than 1
 */
export function pauseAfter(
  { pauses, spread: [min, max] }: RetrySchedule,
  failures: number,
  random: number = Math.random(),
): number {
  const pause = pauses[Math.min(failures, pauses.length) - 1]!;
  return Math.round(pause * (min + random * (max - min)));
}
