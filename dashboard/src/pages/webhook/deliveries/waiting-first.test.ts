import { expect, test } from 'vitest';
import { waitingFirst } from './waiting-first.ts';

test('attempts that wait come first, and the others stay newest first', () => {
  const attempts = [
    { id: 5, status: 'succeeded' },
    { id: 4, status: 'waiting' },
    { id: 3, status: 'failed' },
    { id: 2, status: 'waiting' },
    { id: 1, status: 'succeeded' },
  ] as const;
  expect(waitingFirst(attempts).map(({ id }) => id)).toEqual([4, 2, 5, 3, 1]);
});
