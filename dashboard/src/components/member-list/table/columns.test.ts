import { expect, test } from 'vitest';
import { type ColumnLayout, fittingColumns } from './columns.ts';

test('in a narrow window, the least important columns are left out, but never the name', () => {
  const columns: ColumnLayout[] = [
    { name: 'displayName', width: 200, fills: true },
    { name: 'groups', width: 150, fills: true },
    { name: 'paid', width: 80 },
    { name: 'createdAt', width: 110 },
  ];
  const names = (space: number) => fittingColumns(columns, space).map(({ name }) => name);
  expect(names(540)).toEqual(['displayName', 'groups', 'paid', 'createdAt']);
  expect(names(539)).toEqual(['displayName', 'groups', 'paid']);
  expect(names(429)).toEqual(['displayName', 'groups']);
  expect(names(0)).toEqual(['displayName']);
});
