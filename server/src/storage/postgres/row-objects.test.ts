import { expect, test } from 'vitest';
import { consumeResult, type RowValues } from './row-objects.ts';

/** A result as the driver makes it. */
function aResult(columns: readonly string[], rows: readonly unknown[][]): RowValues {
  const named = columns.map((name) => ({ name }));
  return Object.assign([...rows], {
    columns: named,
    count: rows.length,
    command: 'SELECT',
  }) as unknown as RowValues;
}

test('rows are taken out of a result as objects, and none stays in it', () => {
  const result = aResult(
    ['id', 'name'],
    [
      [1, 'Ada'],
      [2, null],
    ],
  );
  const { rows, count, command } = consumeResult(result);
  expect(rows).toEqual([
    { id: 1, name: 'Ada' },
    { id: 2, name: null },
  ]);
  expect([count, command]).toEqual([2, 'SELECT']);
  expect(result).toHaveLength(0);
});

test('a result without rows has the number of changed ones', () => {
  const result = Object.assign([], {
    columns: undefined,
    count: 3,
    command: 'UPDATE',
  }) as unknown as RowValues;
  const { rows, count, command } = consumeResult(result);
  expect(rows).toEqual([]);
  expect([count, command]).toEqual([3, 'UPDATE']);
});
