import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/**
 * The start value of random tests: a new number in each run, unless GATEHOUSE_TEST_SEED sets that of an earlier one.
 */
export const seed = Number(process.env.GATEHOUSE_TEST_SEED ?? randomInt(2 ** 31));

/** Returns numbers from 0 to below 1, the same ones for the same seed. Name the seed when a test fails. */
export function randomNumbers(): () => number {
  const numbers = fc.sample(fc.noBias(fc.nat({ max: 2 ** 31 - 1 })), { seed, numRuns: 10_000 });
  let drawn = 0;
  return () => numbers[drawn++ % numbers.length]! / 2 ** 31;
}
