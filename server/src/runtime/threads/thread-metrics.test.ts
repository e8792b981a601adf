import { expect, test } from 'vitest';
import { movableTime } from '../../../test/movable-time.ts';
import { type Metric, total } from '../../base/metrics/metric.ts';
import { ThreadMetrics } from './thread-metrics.ts';

function aThread() {
  const { timers, advance } = movableTime();
  const requests: PromiseWithResolvers<readonly Metric[]>[] = [];
  const request = () => {
    requests.push(Promise.withResolvers());
    return requests.at(-1)!.promise;
  };
  const metrics = new ThreadMetrics('writer', request, timers);
  const answer = (count: number) =>
    requests.shift()!.resolve([total('gatehouse_test_total', 'A count.', count)]);
  const collect = async () =>
    (await metrics.collect()).map(({ name, values }) => [name, values[0]!.labels, values[0]!.value]);
  return { requests, advance, answer, collect };
}
const responded = (value: number) => ['gatehouse_thread_responses', { thread: 'writer' }, value];
const counted = (value: number) => ['gatehouse_test_total', {}, value];

test('a thread answers with its metrics', async () => {
  const { answer, collect } = aThread();
  const collecting = collect();
  answer(3);
  expect(await collecting).toEqual([counted(3), responded(1)]);
});

test('a thread that does not answer within a second is reported with its last metrics', async () => {
  const { answer, collect, advance, requests } = aThread();
  const first = collect();
  advance(1_000);
  expect(await first).toEqual([responded(0)]);
  answer(4);
  const second = collect();
  advance(1_000);
  expect(await second).toEqual([counted(4), responded(0)]);
  const third = collect();
  requests.shift();
  answer(5);
  expect(await third).toEqual([counted(5), responded(1)]);
});

test('a thread that has ended is reported with its last metrics at once', async () => {
  const { collect, requests } = aThread();
  const collecting = collect();
  requests.shift()!.reject(new Error('The thread has ended.'));
  expect(await collecting).toEqual([responded(0)]);
});
