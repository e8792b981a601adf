import { expect, test } from 'vitest';
import { connectionStatus } from './connection-status.ts';

const earlier = '2026-03-01T09:00:00.000Z';
const later = '2026-03-01T10:00:00.000Z';

function failed(at: string, reply: string | null) {
  return { at, error: 'The email could not be sent.', reply };
}

test('the mail server works if the last email was sent, whatever was refused before', () => {
  expect(connectionStatus({ lastSentAt: earlier, lastFailure: null })).toBe('works');
  expect(connectionStatus({ lastSentAt: later, lastFailure: failed(earlier, null) })).toBe('works');
});

test('a recipient who does not exist says that the mail server works', () => {
  const reply = '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown';
  expect(connectionStatus({ lastSentAt: earlier, lastFailure: failed(later, reply) })).toBe('works');
});

test('a mail server that does not accept the last email refuses, and without a reply it fails', () => {
  const refused = failed(later, '451 4.7.1 Try again later');
  expect(connectionStatus({ lastSentAt: earlier, lastFailure: refused })).toBe('refuses');
  expect(connectionStatus({ lastSentAt: earlier, lastFailure: failed(later, null) })).toBe('fails');
});

test('without an email in the last days, nothing is known', () => {
  expect(connectionStatus({ lastSentAt: null, lastFailure: null })).toBe('unknown');
});
