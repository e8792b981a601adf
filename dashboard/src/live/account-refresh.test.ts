import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountRefresh } from './account-refresh.ts';

let shown: EventTarget & { visibilityState: string };

beforeEach(() => {
  vi.useFakeTimers();
  shown = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', shown);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function show(visibilityState: 'hidden' | 'visible'): void {
  shown.visibilityState = visibilityState;
  shown.dispatchEvent(new Event('visibilitychange'));
}

test('the account is refreshed at once, and after many changes once more', () => {
  const refresh = vi.fn();
  const account = new AccountRefresh(refresh);
  account.start();
  expect(refresh).not.toHaveBeenCalled();
  for (let number = 0; number < 50; number += 1) account.add();
  expect(refresh).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_900);
  expect(refresh).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('a hidden tab refreshes it when it is shown again', () => {
  const refresh = vi.fn();
  const account = new AccountRefresh(refresh);
  const stop = account.start();
  show('hidden');
  account.add();
  vi.advanceTimersByTime(60_000);
  expect(refresh).not.toHaveBeenCalled();
  show('visible');
  expect(refresh).toHaveBeenCalledTimes(1);
  stop();
});
