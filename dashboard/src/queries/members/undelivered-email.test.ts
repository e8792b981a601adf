import type { Email } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { readUndelivered } from './undelivered-email.ts';

function read(...statuses: string[]) {
  const emails = statuses.map((status, id) => ({ id, status, recipient: 'ada@example.com' }));
  const found = readUndelivered(emails as unknown as Email[], 'ada@example.com');
  return found && [found.email.id, found.isNewerWaiting];
}

test('the last email counts as undelivered until a later one is sent', () => {
  expect(read('failed', 'sent')).toEqual([0, false]);
  expect(read('waiting', 'failed')).toEqual([1, true]);
  expect(read('sent', 'failed')).toBeUndefined();
  expect(read('waiting', 'sent', 'failed')).toBeUndefined();
  expect(read()).toBeUndefined();
});

test('an email to a former address says nothing about the present one', () => {
  const email = { status: 'failed', recipient: 'former@example.com' } as Email;
  expect(readUndelivered([email], 'ada@example.com')).toBeUndefined();
});
