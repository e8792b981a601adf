import { expect, test } from 'vitest';
import { WriteCheck } from './write-check.ts';

test('requests at the same time share one check, and so do those within a second', async () => {
  let checks = 0;
  const writeCheck = new WriteCheck(async () => {
    checks += 1;
  });
  await Promise.all([writeCheck.run(), writeCheck.run(), writeCheck.run()]);
  await writeCheck.run();
  expect(checks).toBe(1);
  await expect.poll(() => writeCheck.run().then(() => checks), { interval: 100 }).toBe(2);
});

test('a failure is reported to everybody, and ends with the next success', async () => {
  let failure: Error | undefined = new Error('full');
  const writeCheck = new WriteCheck(async () => {
    if (failure) throw failure;
  });
  const results = await Promise.allSettled([writeCheck.run(), writeCheck.run()]);
  expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual([
    'full',
    'full',
  ]);
  failure = undefined;
  await expect.poll(() => writeCheck.run().then(() => 'stored', String), { interval: 100 }).toBe('stored');
});
