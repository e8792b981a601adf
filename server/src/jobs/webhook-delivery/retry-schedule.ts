import { millisecondsPerDay } from '../../base/clock.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses before the second and each further attempt to send a message. */
const pauses = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];
/** How much of a pause is random, so that many messages do not come at the same moment. */
const jitter = 0.2;
/** A failing receiver is tried again at least this often. */
const maxPauseOfFailing = 30 * minute;

export const maxAttempts = pauses.length + 1;
/** A receiver that has failed for so long is disabled. */
export const maxFailingMilliseconds = 5 * millisecondsPerDay;

/** The pause in milliseconds after a failed attempt, 1 for the first; undefined after the last one. */
export function pauseAfterAttempt(attempt: number, random: () => number): number | undefined {
  const pause = pauses[attempt - 1];
  return pause === undefined ? undefined : withJitter(pause, random);
}

/** The pause in milliseconds before a failing receiver is tried again. @param failures since it is failing, at least 1 */
export function pauseOfFailing(failures: number, random: () => number): number {
  return withJitter(Math.min(pauses[failures - 1] ?? maxPauseOfFailing, maxPauseOfFailing), random);
}

/** From 10 % less to 10 % more. */
function withJitter(milliseconds: number, random: () => number): number {
  return Math.round(milliseconds * (1 - jitter / 2 + random() * jitter));
}
