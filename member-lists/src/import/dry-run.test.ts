import { Member } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { exampleOf } from '../../../contract/src/shared/examples.ts';
import { newDraft } from '../reading/member-draft.ts';
import { DryRun } from './dry-run.ts';
import type { MemberState } from './outcome.ts';

const now = new Date('2026-06-01T00:00:00Z');
const groups = {
  ids: new Map([
    ['Choir', 'choir'],
    ['Band', 'band'],
  ]),
  forAll: ['all'],
};
const ada: MemberState = {
  ...exampleOf(Member),
  displayName: 'Ada',
  paid: true,
  status: 'active',
  groups: new Map<string, string | null>([
    ['all', null],
    ['choir', '2030-01-01T00:00:00.000Z'],
  ]),
};
const draft = (email: string, values: object = {}) => ({ ...newDraft(2, email, ''), ...values });
const joins = (name: string, expiresAt: string | null = null) => ({ groups: [{ name, expiresAt }] });

test('a row of an existing member is unchanged, a conflict, or changes groups', () => {
  const statusOf = (values: object) => {
    const run = new DryRun({ groups, now });
    return run.predict([draft('ADA@x.org', values)], new Map([['ada@x.org', ada]]))[0]!.status;
  };
  expect(statusOf({})).toBe('unchanged');
  expect(statusOf({ displayName: ' Ada ', paid: true, status: 'active' })).toBe('unchanged');
  expect(statusOf({ displayName: 'Eve' })).toBe('conflict');
  expect(statusOf({ paid: false })).toBe('conflict');
  expect(statusOf({ status: 'blocked', ...joins('Band') })).toBe('conflict');
  expect(statusOf(joins('Band'))).toBe('groupsChanged');
  // A row without an end does not change the end.
  expect(statusOf(joins('Choir'))).toBe('unchanged');
  expect(statusOf(joins('Choir', '2030-01-01T00:00:00.000Z'))).toBe('unchanged');
  expect(statusOf(joins('Choir', '2031-01-01T00:00:00.000Z'))).toBe('groupsChanged');
  // Expired memberships and unknown groups are ignored.
  expect(statusOf(joins('Band', '2026-06-01T00:00:00.000Z'))).toBe('unchanged');
  expect(statusOf(joins('Staff'))).toBe('unchanged');
});

test('rows that are invalid, left out or part of another row are not looked at', () => {
  const run = new DryRun({ groups, now });
  const rows = [
    draft('bob@x.org', { displayName: 'Bob' }),
    draft('no address'),
    draft('bob@x.org', { mergedInto: 2 }),
    draft('eve@x.org', { isLeftOut: true }),
    draft('eve@x.org'),
  ];
  const outcomes = run.predict(rows, new Map());
  expect(outcomes.map(({ status }) => status)).toEqual([
    'created',
    'invalid',
    'merged',
    'leftOut',
    'created',
  ]);
});
