import type { WebhookDelivery } from '@gatehouse/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replayPace, untilSent } from './webhook-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const due = (secondsFromNow: number) =>
  ({
    status: 'waiting',
    dueAt: new Date(Date.now() + secondsFromNow * 1_000).toISOString(),
  }) as WebhookDelivery;

test('attempts are looked at often only around the time at which they are due', () => {
  expect([-3_600, -11, -9, 0, 9, 11, 3_600].map((seconds) => untilSent([due(seconds)]))).toEqual([
    10_000, 10_000, 1_000, 1_000, 1_000, 10_000, 10_000,
  ]);
  expect(untilSent([due(-3_600), due(1)])).toBe(1_000);
  expect(untilSent([])).toBe(false);
  expect(untilSent([{ ...due(1), status: 'failed' }])).toBe(false);
});

test('a replay is looked at often only while its percentage moves', () => {
  const pace = replayPace();
  const at = (percent: number) => pace({ since: '', until: '', percent });
  expect(pace(null)).toBe(10_000);
  expect(at(0)).toBe(1_000);
  vi.advanceTimersByTime(2_500);
  expect(at(0)).toBe(1_000);
  vi.advanceTimersByTime(1_000);
  expect(at(0)).toBe(10_000);
  vi.advanceTimersByTime(10_000);
  expect(at(1)).toBe(1_000);
  vi.advanceTimersByTime(10_000);
  expect(at(1)).toBe(10_000);
  expect(pace(null)).toBe(10_000);
});
