import type { Overview } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { needsOf } from './needs.ts';

const calm = {
  emailsWaiting: 0,
  emailsWithheld: [],
  failedEmails: [],
  failingWebhooks: [],
  waitingSources: [],
  pendingJoinRequests: 0,
  endingMemberships: { soon: 0, thisMonth: 3 },
  setUp: { email: true },
} as unknown as Overview;

const typesOf = (overview: object, delay?: string) =>
  needsOf({ ...calm, ...overview }, delay).map(({ type }) => type);

test('nothing needs a person when all is well, or when the operator may not see it', () => {
  const hidden = {
    failedEmails: null,
    failingWebhooks: null,
    waitingSources: null,
    pendingJoinRequests: null,
  };
  expect(typesOf({})).toEqual([]);
  expect(typesOf(hidden)).toEqual([]);
});

test('what has failed comes first, then what waits for a decision', () => {
  const source = { id: 'one', name: 'Club', type: 'list' };
  const overview = {
    endingMemberships: { soon: 2, thisMonth: 3 },
    pendingJoinRequests: 1,
    waitingSources: [
      { ...source, reason: 'confirmation_required' },
      { ...source, id: 'other', reason: 'rejected' },
    ],
    failedEmails: [{ id: 'email' }],
  };
  const needs = needsOf({ ...calm, ...overview } as unknown as Overview, undefined);
  expect(needs.map((need) => (need.type === 'source' ? need.source.id : need.type))).toEqual([
    'email-failed',
    'other',
    'one',
    'join-requests',
    'memberships',
  ]);
});

test('emails that wait for a moment need nobody, those that were delayed or have no mail server do', () => {
  expect(typesOf({ emailsWaiting: 2 })).toEqual([]);
  expect(typesOf({ emailsWaiting: 2 }, 'connection refused')).toEqual(['emails-delayed']);
  expect(typesOf({ emailsWaiting: 2, setUp: { email: false } })).toEqual(['no-mail-server']);
});
