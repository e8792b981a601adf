// Before each test file: fast-check draws new random values in each run and prints its seed when a test fails. A
// given seed is used for every property.

const seed = process.env.GATEHOUSE_TEST_SEED;
if (seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(seed) });
}
