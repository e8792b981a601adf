// Before each file of tests: fast-check draws anew in each run and prints its seed when a test fails; a seed that is
// given is that of every property.

const seed = process.env.GATEHOUSE_TEST_SEED;
if (seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(seed) });
}
