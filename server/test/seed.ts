import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { isFullEffort } from './effort.ts';

const given = process.env.GATEHOUSE_TEST_SEED;

/**
 * The start value of random tests. It is the same in each run, so that a change fails no test that it did not break;
 * only `npm run verify` takes a new one. GATEHOUSE_TEST_SEED sets it.
 */
export const seed = given === undefined ? defaultSeed() : Number(given);

/** Returns numbers from 0 to below 1, the same ones for the same seed. Name the seed when a test fails. */
export function randomNumbers(): () => number {
  const numbers = fc.sample(fc.noBias(fc.nat({ max: 2 ** 31 - 1 })), { seed, numRuns: 10_000 });
  let drawn = 0;
  return () => numbers[drawn++ % numbers.length]! / 2 ** 31;
}

function defaultSeed(): number {
  return isFullEffort ? randomInt(2 ** 31) : 1;
}
