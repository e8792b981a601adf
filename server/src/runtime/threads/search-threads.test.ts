import { expect, test } from 'vitest';
import { movableTime } from '../../../test/movable-time.ts';
import type { Call, CallResponse } from '../call.ts';
import { SearchThreads } from './search-threads.ts';

const done: CallResponse = { kind: 'success', payload: null, headers: {} };
const tooMany = 20;

/** Threads whose calls end when the test says so. */
function useThreads(maxThreads = 2) {
  const { clock, timers, advance, countTimers } = movableTime();
  const log: string[] = [];
  const running: { name: string; end: (response?: CallResponse) => void }[] = [];
  let started = 0;
  const start = () => {
    const thread = ++started;
    log.push(`thread ${thread} starts`);
    return {
      run(call: Call) {
        log.push(`${call.target} in thread ${thread}`);
        return new Promise<CallResponse>((resolve) =>
          running.push({ name: call.target, end: () => resolve(done) }),
        );
      },
      metrics: async () => [],
      async stop() {
        log.push(`thread ${thread} ends`);
      },
    };
  };
  const threads = new SearchThreads(start as never, maxThreads, timers, () => clock().getTime());
  const search = (name: string, isAwaited?: () => boolean) =>
    threads.run({ target: name } as Call, isAwaited);
  const end = async (name: string) => {
    const index = running.findIndex((call) => call.name === name);
    running.splice(index, 1)[0]!.end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log, search, end, advance, countTimers, threads };
}

test('the first thread starts with the first search, and has a few at a time, in their order', async () => {
  const { log, search, end } = useThreads();
  expect(log).toEqual([]);
  const first = search('a');
  for (const name of ['b', 'c', 'd', 'e', 'f']) void search(name);
  const begun = ['a', 'b', 'c', 'd'].map((name) => `${name} in thread 1`);
  expect(log).toEqual(['thread 1 starts', ...begun]);
  await end('a');
  expect(await first).toEqual(done);
  expect(log).toContain('e in thread 1');
});

test('a thread has more searches at a time when they are quick, and one when they are slow', async () => {
  const { log, search, end, advance } = useThreads(1);
  const take = async (name: string, milliseconds: number) => {
    void search(name);
    advance(milliseconds);
    await end(name);
  };
  const countBegun = () => {
    const before = log.length;
    for (let number = 0; number < 50; number += 1) void search(`${before} ${number}`);
    return log.length - before;
  };
  for (let number = 0; number < 50; number += 1) await take(`quick ${number}`, 0);
  expect(countBegun()).toBe(32);

  const slow = useThreads(1);
  for (let number = 0; number < 10; number += 1) {
    void slow.search(`slow ${number}`);
    slow.advance(80);
    await slow.end(`slow ${number}`);
  }
  void slow.search('first');
  void slow.search('second');
  expect(slow.log.at(-1)).toBe('first in thread 1');
});

test('a search whose caller has left before it begins is not run', async () => {
  const { log, search, end } = useThreads();
  for (const name of ['a', 'b', 'c', 'd']) void search(name);
  let isThere = true;
  const left = search('left', () => isThere);
  void search('f');
  isThere = false;
  await end('a');
  expect(await left).toMatchObject({ kind: 'rejected' });
  expect(log.join()).not.toContain('left in');
  expect(log.at(-1)).toBe('f in thread 1');
});

test('another thread helps when searches wait, up to the maximum, and ends when it is not needed', async () => {
  const { log, search, end, advance } = useThreads();
  const names = Array.from({ length: tooMany }, (_, number) => `search ${number}`);
  for (const name of names) void search(name);
  advance(99);
  expect(log.filter((line) => line.includes('starts'))).toHaveLength(1);
  advance(1);
  expect(log.slice(-5)).toEqual(['thread 2 starts', ...[4, 5, 6, 7].map((n) => `search ${n} in thread 2`)]);
  advance(10_000);
  expect(log.filter((line) => line.includes('starts'))).toHaveLength(2);
  for (const name of names) await end(name);
  advance(60_000);
  expect(log.at(-1)).toBe('thread 2 ends');
  void search('later');
  expect(log.at(-1)).toBe('later in thread 1');
});

test('a search that has waited too long is rejected', async () => {
  const { search, advance } = useThreads(1);
  for (const name of ['a', 'b', 'c', 'd']) void search(name);
  const rejection = expect(search('late')).rejects.toThrow('Too many searches');
  advance(13_000);
  await rejection;
});

test('a search that has begun is not kept in memory by the timer that would have rejected it', async () => {
  const { search, end, countTimers } = useThreads(1);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) void search(name);
  expect(countTimers()).toBe(2);
  for (const name of names) await end(name);
  expect(countTimers()).toBe(0);
});
