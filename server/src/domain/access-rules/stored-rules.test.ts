import type { AccessRule } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { readStoredRules, toStoredRules } from './stored-rules.ts';

const id = '01980a43-ae4b-7031-8269-8f9a0b1c2d34';

test('the version before page codes lets no member in by an alternative for one', () => {
  const rules: AccessRule[] = [
    { path: '/', access: 'code', pageCodeIds: [id] },
    {
      path: '/class',
      access: 'conditional',
      anyOf: [
        { access: 'members', groupIds: [id], match: 'any' },
        { access: 'code', pageCodeIds: [id], until: '2026-01-05T08:00:00.000Z' },
      ],
    },
  ];
  const text = toStoredRules(rules);
  expect(JSON.parse(text)[1].anyOf[1]).toMatchObject({ access: 'code', groupIds: [] });
  expect(readStoredRules(text)).toEqual(rules);
  expect(JSON.stringify(readStoredRules(text))).toBe(JSON.stringify(rules));
});
