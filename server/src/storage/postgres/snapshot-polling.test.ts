import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SnapshotPolling } from './snapshot-polling.ts';

function start() {
  const state = { snapshot: '1:1:', changes: 0, reads: 0 };
  const polling = new SnapshotPolling(
    async () => {
      state.reads += 1;
      if (state.snapshot === '') throw new Error('unavailable');
      return state.snapshot;
    },
    () => {
      state.changes += 1;
    },
  );
  const untilCurrent = () => expect.poll(() => polling.isCurrent(), { interval: 10 }).toBe(true);
  return { state, polling, untilCurrent };
}

test('nothing is current before the first snapshot, which counts as a change', async () => {
  const { state, polling, untilCurrent } = start();
  expect(polling.isCurrent()).toBe(false);
  await untilCurrent();
  expect(state).toMatchObject({ changes: 1, reads: 1 });
});

test('another snapshot is a change, and an equal one is not', async () => {
  const { state, polling, untilCurrent } = start();
  await untilCurrent();
  await expect.poll(() => polling.isCurrent() && state.reads, { interval: 10 }).toBe(3);
  expect(state.changes).toBe(1);
  state.snapshot = '1:2:';
  await expect.poll(() => polling.isCurrent() && state.changes, { interval: 10 }).toBe(2);
});

test('without snapshots nothing stays current, and nobody polls while nobody wants to know', async () => {
  const { state, polling, untilCurrent } = start();
  await untilCurrent();
  state.snapshot = '';
  await expect.poll(() => polling.isCurrent(), { interval: 10 }).toBe(false);
  await sleep(1);
  const { reads } = state;
  await sleep(300);
  expect(state.reads).toBe(reads);
  state.snapshot = '1:1:';
  await untilCurrent();
});
