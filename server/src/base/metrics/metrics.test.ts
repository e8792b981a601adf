import { expect, test } from 'vitest';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';
import { gauge, total } from './metric.ts';
import { addCounts } from './sum.ts';

test('a count of the same labels is the same count', () => {
  const counter = new Counter('requests_total', 'Requests.');
  counter.of({ status: 200 }).value += 1;
  counter.of({ status: 200 }).value += 1;
  counter.of({ status: 404 }).value += 1;
  expect(counter.metric().values).toEqual([
    { labels: { status: 200 }, value: 2 },
    { labels: { status: 404 }, value: 1 },
  ]);
});

test('the buckets of a histogram are cumulative, and a value at a bound belongs to it', () => {
  const histogram = new Histogram('sizes', 'Sizes.', [1, 10]);
  for (const value of [0.5, 1, 5, 10, 11]) histogram.of({ kind: 'a' }).observe(value);
  const values = histogram
    .metric()
    .values.map(({ metricName, labels, value }) => [metricName, labels.le, value]);
  expect(values).toEqual([
    ['sizes_bucket', 1, 2],
    ['sizes_bucket', 10, 4],
    ['sizes_bucket', '+Inf', 5],
    ['sizes_sum', undefined, 27.5],
    ['sizes_count', undefined, 5],
  ]);
});

test('the counts of threads that have ended are added, and their gauges are not', () => {
  const ended = (count: number) => {
    const histogram = new Histogram('waits', 'Waits.', [1]);
    for (let time = 0; time < count; time += 1) histogram.of({}).observe(2);
    return [total('done_total', 'Done.', count), histogram.metric(), gauge('running', 'Running.', count)];
  };
  const sum = addCounts(addCounts([], ended(1)), ended(2));
  expect(sum.map(({ name }) => name)).toEqual(['done_total', 'waits']);
  expect(sum.flatMap(({ values }) => values.map(({ value }) => value))).toEqual([3, 0, 3, 6, 3]);
});
