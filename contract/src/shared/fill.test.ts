import { expect, test } from 'vitest';
import { fill, fillParts } from './fill.ts';

test('values are filled in once: a value that looks like a placeholder stays unchanged', () => {
  expect(fill('{a} and {b}, {c}', { a: '{b}', b: '$&' })).toBe('{b} and $&, {c}');
  expect(fill('', { a: 'b' })).toBe('');
});

test('values that are no texts stay what they are', () => {
  const value = { any: 'value' };
  expect(fillParts('{a}: {b}{a}', { a: value })).toEqual([value, ': ', '{b}', value]);
});
