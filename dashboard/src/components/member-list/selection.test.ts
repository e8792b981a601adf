import { expect, test } from 'vitest';
import { everybody, isSelected, noSelection, type Selection, toggle } from './selection.ts';

const selected = (selection: Selection) =>
  ['a', 'b', 'c', 'd', 'e'].filter((id) => isSelected(selection, id)).join('');

test('a range gets the state of its last member, which is the opposite of what it was', () => {
  const some = toggle(toggle(noSelection, ['b']), ['b', 'c', 'd']);
  expect(selected(some)).toBe('bcd');
  expect(selected(toggle(some, ['a', 'b', 'c']))).toBe('d');
  expect(selected(toggle(some, ['c', 'd', 'e']))).toBe('bcde');
});

test('a range is taken out of all matching members, and put back', () => {
  const others = toggle(everybody, ['b', 'c', 'd']);
  expect(selected(others)).toBe('ae');
  expect(selected(toggle(others, ['a', 'b', 'c']))).toBe('abce');
  expect(toggle(toggle(others, ['c', 'd']), ['b'])).toEqual(everybody);
});
