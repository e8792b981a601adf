import { type Operation, operations } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { readOnlyPosts, routes } from './routes.ts';

test('every operation of the API can be called, but the one that gives its document', () => {
  const called = [...Object.keys(routes), 'getOpenApi'].sort();
  expect(called).toEqual(Object.keys(operations).sort());
});

test('the POSTs that carry no idempotency key are those that change nothing', () => {
  const readOnly = Object.values<Operation>(operations).filter((operation) => operation.readOnly);
  expect([...readOnlyPosts]).toEqual(readOnly.map(({ id }) => id));
});
