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

test('after a correction of the email address, a failed email stays undelivered until a later one is sent', () => {
  const former = { type: 'login_link', status: 'failed', recipient: 'former@example.com' } as Email;
  const newer = (status: string) => ({ ...former, status, recipient: 'ada@example.com' }) as Email;
  const found = { email: former, isCorrected: true };
  expect(readUndelivered([former], 'ada@example.com')).toEqual({ ...found, isNewerWaiting: false });
  expect(readUndelivered([newer('waiting'), former], 'ada@example.com')).toEqual({
    ...found,
    isNewerWaiting: true,
  });
  expect(readUndelivered([newer('sent'), former], 'ada@example.com')).toBeUndefined();
  expect(readUndelivered([newer('failed'), former], 'ada@example.com')).toMatchObject({ isCorrected: false });
});

test('a code for a new email address and a note to a former one do not count', () => {
  const other = (type: string, status: string) => ({ type, status, recipient: 'other@example.com' }) as Email;
  const failed = { type: 'login_link', status: 'failed', recipient: 'ada@example.com' } as Email;
  const others = [other('address_changed', 'failed'), other('address_code', 'sent')];
  expect(readUndelivered(others, 'ada@example.com')).toBeUndefined();
  expect(readUndelivered([...others, failed], 'ada@example.com')?.email).toBe(failed);
});
