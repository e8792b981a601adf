import type { AccessRule } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { changedPlaces } from './rule-changes.ts';

const folder = { path: '/', access: 'members' } as const;
const page = { path: '/', appliesTo: 'page', access: 'public' } as const;
const conditional = (...anyOf: Extract<AccessRule, { access: 'conditional' }>['anyOf']): AccessRule => ({
  path: '/a',
  access: 'conditional',
  anyOf,
});
const changed = (before: AccessRule, after: AccessRule) => [...changedPlaces([before], [after])];

test('the rule for a page is another place than that of its path', () => {
  expect([...changedPlaces([folder], [folder, page])]).toEqual(['/?page']);
  expect([...changedPlaces([folder, page], [page])]).toEqual(['/']);
});

test('the page codes of a rule count, but not their order', () => {
  const code = (...pageCodeIds: string[]) => ({ access: 'code' as const, pageCodeIds });
  const rule = (...ids: string[]): AccessRule => ({ path: '/a', ...code(...ids) });
  expect(changed(rule('a', 'b'), rule('b', 'a'))).toEqual([]);
  expect(changed(rule('a', 'b'), rule('a'))).toEqual(['/a']);
  const members = { access: 'members' } as const;
  expect(changed(conditional(members, code('a')), conditional(members, code('b')))).toEqual(['/a']);
});

test('every part of a rule counts, but neither defaults nor the order of groups', () => {
  expect(changed(page, { ...page, queryParameters: ['lang'] })).toEqual(['/?page']);
  const members = { access: 'members' } as const;
  const before = conditional({ ...members, groupIds: ['a', 'b'] }, members);
  expect(changed(before, conditional({ ...members, groupIds: ['b', 'a'], match: 'any' }, members))).toEqual(
    [],
  );
  for (const other of [
    { ...members, groupIds: ['a', 'b'], match: 'all' },
    { ...members, groupIds: ['a'] },
    { ...members, groupIds: ['a', 'b'], from: '2026-01-01T00:00:00.000Z' },
    { ...members, groupIds: ['a', 'b'], until: '2026-01-01T00:00:00.000Z' },
    { ...members, groupIds: ['a', 'b'], networks: ['192.0.2.0/24'] },
    { access: 'paying_members', groupIds: ['a', 'b'] },
  ] as const) {
    expect(
      changed(before, conditional({ ...other, groupIds: [...other.groupIds] } as never, members)),
    ).toEqual(['/a']);
  }
});
