import { expect, onTestFinished, test } from 'vitest';
import { movableTime } from '../../../test/movable-time.ts';
import type { TestCalls } from '../../../test/test-thread-entry.ts';
import { systemTimers } from '../../base/timers.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { ThreadClient, type ThreadOptions } from './thread-client.ts';
import { ThreadOnDemand } from './thread-on-demand.ts';

const minute = 60_000;
const entry = new URL('../../../test/test-thread-entry.ts', import.meta.url);

function aThread(options: Partial<ThreadOptions> = {}) {
  const log: string[] = [];
  const crashes: string[] = [];
  const thread = new ThreadClient<TestCalls>({
    entry,
    description: 'The thread of the test',
    report: (_, message) => log.push(message),
    onCrash: ({ message }) => crashes.push(message),
    monitoredAs: 'sync',
    ...options,
  });
  onTestFinished(() => thread.abort(systemTimers));
  return { thread, log, crashes };
}

function aThreadOnDemand() {
  const { timers, advance } = movableTime();
  const log: string[] = [];
  const options = { entry, description: 'The thread of the test', monitoredAs: 'sync' } as const;
  const thread = new ThreadOnDemand<TestCalls>(
    { ...options, report: (_, message) => log.push(message) },
    timers,
  );
  onTestFinished(async () => {
    const closing = thread.close();
    advance(minute);
    await closing;
  });
  const count = async () =>
    (await thread.metrics()).find(({ name }) => name === 'gatehouse_test_total')?.values[0]?.value;
  return { thread, advance, log, count };
}

test.each([false, true])(
  'calls get their results, and run at the same time (batched: %s)',
  async (isBatched) => {
    const { thread, log } = aThread({ isBatched });
    await thread.ready;
    const held = [thread.call('hold', undefined), thread.call('hold', undefined)];
    expect(await Promise.all([thread.call('count', undefined), thread.call('count', undefined)])).toEqual([
      1, 2,
    ]);
    await thread.call('release', undefined);
    await Promise.all(held);
    expect(log).toEqual(['started']);
  },
);

test('an error is the same on both sides, with the stack of the thread', async () => {
  const { thread } = aThread();
  await expect(thread.call('fail', 'unavailable')).rejects.toBeInstanceOf(StoreUnavailable);
  const unreadable = thread.call('fail', 'unreadable').catch((error) => error);
  expect(await unreadable).toBeInstanceOf(CollectionUnreadable);
  expect(await unreadable).toMatchObject({ code: 'incomplete', message: 'Row 3 has no end.' });
  await expect(thread.call('fail', 'unexpected')).rejects.toMatchObject({
    message: 'x is not a function',
    stack: expect.stringContaining('test-thread-entry.ts'),
  });
  expect(await thread.call('count', undefined)).toBe(1);
});

test.each([false, true])(
  'a call that cannot be sent is rejected, and later ones work (batched: %s)',
  async (isBatched) => {
    const { thread } = aThread({ isBatched });
    const unsendable = (() => {}) as unknown as undefined;
    await expect(thread.call('count', unsendable)).rejects.toThrow('could not be cloned');
    expect(await thread.call('count', undefined)).toBe(1);
  },
);

test('a call or a result that cannot be sent fails alone, and not those that are sent with it', async () => {
  const { thread, crashes } = aThread({ isBatched: true });
  await thread.ready;
  const unsendable = (() => {}) as unknown as undefined;
  const outcomes = await Promise.allSettled([
    thread.call('count', undefined),
    thread.call('count', unsendable),
    thread.call('returnFunction', undefined),
    thread.call('count', undefined),
  ]);
  const failed = { reason: { message: expect.stringContaining('could not be cloned') } };
  expect(outcomes).toMatchObject([{ value: 1 }, failed, failed, { value: 2 }]);
  expect(crashes).toEqual([]);
});

test.each([
  ['crash', 'a mistake'],
  ['exit', 'The thread of the test has ended.'],
] as const)('a %s rejects the calls that are pending, and later ones say why', async (how, message) => {
  const { thread, crashes } = aThread();
  const pending = thread.call('wait', undefined);
  await Promise.all([
    expect(thread.call('end', how)).rejects.toThrow(message),
    expect(pending).rejects.toThrow(message),
  ]);
  expect(thread.isAlive).toBe(false);
  await expect(thread.call('count', undefined)).rejects.toThrow('The thread of the test has ended.');
  expect(crashes).toEqual([message]);
  await thread.stop();
});

test('a thread that needs too much memory ends alone', async () => {
  const { thread } = aThread({ maxHeapMebibytes: 32 });
  await expect(thread.call('end', 'memory')).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
});

test('a thread that cannot start rejects its calls', async () => {
  const { thread, crashes } = aThread({ entry: new URL('data:text/javascript,throw new Error("no file")') });
  await Promise.all([
    expect(thread.ready).rejects.toThrow('no file'),
    expect(thread.call('count', undefined)).rejects.toThrow('no file'),
  ]);
  expect(crashes).toEqual(['no file']);
});

test('a call that is aborted ends as the thread decides', async () => {
  const { thread } = aThread();
  const aborting = new AbortController();
  const [waiting, other] = [
    thread.call('wait', undefined, { signal: aborting.signal }),
    thread.call('hold', undefined),
  ];
  aborting.abort();
  expect(await waiting).toBe('aborted');
  // Also if it is aborted from the beginning.
  expect(await thread.call('wait', undefined, { signal: aborting.signal })).toBe('aborted');
  await thread.call('release', undefined);
  await other;
});

test('a batched call that is aborted before it reaches the thread is never sent', async () => {
  const { thread } = aThread({ isBatched: true });
  const aborting = new AbortController();
  const aborted = thread.call('count', undefined, { signal: aborting.signal });
  const other = thread.call('count', undefined);
  aborting.abort(new Error('Gatehouse stops'));
  await expect(aborted).rejects.toThrow('Gatehouse stops');
  expect(await other).toBe(1);
});

test('a call that takes too long is rejected as unavailable, and its result is dropped', async () => {
  const { thread } = aThread({ deadlineMilliseconds: 0 });
  await expect(thread.call('hold', undefined)).rejects.toBeInstanceOf(StoreUnavailable);
  await thread.ready;
});

test('a thread that stops finishes what it has begun; one that is ended aborts it', async () => {
  const stopped = aThread();
  const running = [stopped.thread.call('hold', undefined), stopped.thread.call('block', 20)];
  const released = stopped.thread.call('release', undefined);
  await Promise.all([stopped.thread.stop(), ...running, released]);
  const ended = aThread();
  const waiting = ended.thread.call('wait', undefined);
  await ended.thread.abort(systemTimers);
  expect(await waiting).toBe('aborted');
  for (const { log, crashes } of [stopped, ended]) {
    expect(log).toEqual(['started', 'ended']);
    expect(crashes).toEqual([]);
  }
});

test('a thread on demand starts with the first call, and serves the next ones', async () => {
  const { thread, log } = aThreadOnDemand();
  expect(log).toEqual([]);
  expect(await thread.call('count', undefined)).toBe(1);
  expect(await thread.call('count', undefined)).toBe(2);
  expect(log).toEqual(['started']);
});

test('a thread on demand ends when there was no call for a minute, and its counts are added to later ones', async () => {
  const { thread, log, advance, count } = aThreadOnDemand();
  await thread.call('count', undefined);
  advance(minute - 1);
  await thread.call('count', undefined);
  advance(minute - 1);
  await thread.call('count', undefined);
  expect(log).toEqual(['started']);
  advance(minute);
  await expect.poll(() => log).toEqual(['started', 'ended']);
  expect(await thread.call('count', undefined)).toBe(1);
  expect(log).toEqual(['started', 'ended', 'started']);
  await expect.poll(count).toBe(3);
});

test('a thread on demand does not end while a call takes longer than a minute', async () => {
  const { thread, log, advance } = aThreadOnDemand();
  const aborting = new AbortController();
  const long = thread.call('wait', undefined, { signal: aborting.signal });
  await thread.call('count', undefined);
  advance(2 * minute);
  aborting.abort();
  await long;
  expect(await thread.call('count', undefined)).toBe(2);
  expect(log).toEqual(['started']);
});

test.each(['crash', 'exit'] as const)(
  'after a %s of a thread on demand, its calls fail and the next one gets a new thread',
  async (how) => {
    const { thread, log } = aThreadOnDemand();
    const other = thread.call('wait', undefined);
    await Promise.all([
      expect(thread.call('end', how)).rejects.toThrow(how === 'crash' ? 'a mistake' : 'has ended'),
      expect(other).rejects.toThrow(),
    ]);
    expect(await thread.call('count', undefined)).toBe(1);
    expect(log).toEqual(['started', 'started']);
  },
);
