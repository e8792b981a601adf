import type { Event, EventGroup, EventType } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { toEntries } from './event-entries.ts';

let made = 0;

function group(
  requestId: string | null,
  second: number,
  counts: Partial<Record<EventType, number>>,
): EventGroup {
  const occurredAt = `2026-01-01T00:00:0${second}.000Z`;
  const types = Object.entries(counts).map(([type, count]) => {
    const first = {
      id: `event-${++made}`,
      type,
      occurredAt,
      requestId,
      actor: { type: 'key', id: 'k', name: 'K' },
    };
    return { type: type as EventType, count, first: first as unknown as Event };
  });
  return { id: types[0]!.first.id, count: types.reduce((sum, { count }) => sum + count, 0), types };
}

const inShort = (groups: EventGroup[]) =>
  toEntries(groups).map(({ event, folded }) => [event.type, folded?.count ?? 1, folded?.total ?? 1]);

test('single events, or one event of each type, are not grouped and are sorted newest first', () => {
  const groups = [
    group('b', 2, { 'member.blocked': 1, 'session.revoked': 1 }),
    group('a', 1, { 'member.created': 1 }),
  ];
  expect(inShort(groups)).toEqual([
    ['session.revoked', 1, 1],
    ['member.blocked', 1, 1],
    ['member.created', 1, 1],
  ]);
});

test('a bulk action is one entry, even across several requests with other events in between', () => {
  const groups = [
    group('a', 4, { 'member.blocked': 1 }),
    group('b', 3, { 'member.login': 1 }),
    group('a', 2, { 'session.revoked': 3, 'member.blocked': 500 }),
    group('a', 1, { 'member.blocked': 500, 'session.revoked': 2 }),
  ];
  expect(inShort(groups)).toEqual([
    ['member.blocked', 1_001, 1_006],
    ['member.login', 1, 1],
  ]);
  const [{ event, folded }] = toEntries(groups) as [ReturnType<typeof toEntries>[number]];
  expect(event).toBe(groups[3]!.types[0]!.first);
  expect(folded).toMatchObject({
    since: groups[3]!.types[0]!.first.occurredAt,
    until: '2026-01-01T00:00:04.000Z',
  });
});

test('an event that only follows from another does not name the entry', () => {
  const joined = group('a', 1, { 'access-group.member.expired': 2, 'access-group.member.added': 9 });
  expect(inShort([joined])).toEqual([['access-group.member.added', 9, 11]]);
  expect(inShort([group(null, 1, { 'access-group.member.expired': 2 })])).toEqual([
    ['access-group.member.expired', 2, 2],
  ]);
});

test('events without a request id are grouped by their time', () => {
  const groups = [group(null, 2, { 'member.created': 2 }), group(null, 1, { 'member.created': 3 })];
  expect(inShort(groups)).toEqual([
    ['member.created', 2, 2],
    ['member.created', 3, 3],
  ]);
  expect(inShort([groups[0]!, { ...groups[0]!, count: 5 }])).toHaveLength(1);
});
