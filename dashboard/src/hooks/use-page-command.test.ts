import { afterEach, expect, test, vi } from 'vitest';
import { isRequested, requestPageCommand } from './use-page-command.ts';

afterEach(() => void vi.useRealTimers());

test('a command is for its subject only, and the last one counts', () => {
  requestPageCommand('unblock', 'ada');
  expect(isRequested('unblock', 'ada')).toBe(true);
  expect(isRequested('unblock', 'eve')).toBe(false);
  expect(isRequested('block', 'ada')).toBe(false);
  requestPageCommand('block', 'eve');
  expect(isRequested('unblock', 'ada')).toBe(false);
});

test('a command is forgotten if its page did not open', () => {
  vi.useFakeTimers();
  requestPageCommand('unblock', 'ada');
  vi.advanceTimersByTime(10_000);
  expect(isRequested('unblock', 'ada')).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(isRequested('unblock', 'ada')).toBe(false);
});
