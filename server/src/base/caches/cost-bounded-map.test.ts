import { expect, test } from 'vitest';
import { CostBoundedMap } from './cost-bounded-map.ts';

test('the values that were set first are dropped when all cost too much', () => {
  const map = new CostBoundedMap<string>(10);
  map.set('a', 'A', 4);
  map.set('b', 'B', 4);
  map.set('a', 'A again', 4);
  map.set('c', 'C', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['A again', undefined, 'C']);
});

test('a value that costs too much on its own stays until the next one is set', () => {
  const map = new CostBoundedMap<string>(10);
  map.set('a', 'A', 1);
  map.set('b', 'B', 1_000);
  expect([map.get('a'), map.get('b')]).toEqual([undefined, 'B']);
  map.set('c', 'C', 10);
  expect([map.get('b'), map.get('c')]).toEqual([undefined, 'C']);
});

test('a deleted value costs nothing', () => {
  const map = new CostBoundedMap<string>(2);
  map.set('a', 'A', 2);
  map.delete('a');
  map.delete('a');
  map.set('b', 'B', 1);
  map.set('c', 'C', 1);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 'B', 'C']);
});
