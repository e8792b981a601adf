import { operations } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { routes } from './routes.ts';

test('every operation of the API can be called, but the one that gives its document', () => {
  const called = [...Object.keys(routes), 'getOpenApi'].sort();
  expect(called).toEqual(Object.keys(operations).sort());
});
