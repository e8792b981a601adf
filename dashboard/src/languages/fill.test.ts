import { expect, test } from 'vitest';
import { fill, parts } from './fill.ts';

const found = { one: '{count} member', other: '{count} members' };

test('a counted text takes the form of its number, written as the language writes it', () => {
  expect(fill('en', found, { count: 1 })).toBe('1 member');
  expect(fill('en', found, { count: 12_345 })).toBe('12,345 members');
  expect(fill('de', { one: '{count} Mitglied', other: '{count} Mitglieder' }, { count: 12_345 })).toBe(
    '12.345 Mitglieder',
  );
});

test('a form that a language does not need is the usual one', () => {
  expect(fill('ja', { other: 'メンバー {count} 人' }, { count: 1 })).toBe('メンバー 1 人');
});

test('what a value says is put in as it is, even where it looks like a place', () => {
  expect(fill('en', '{name} was blocked', { name: '{count} <b>' })).toBe('{count} <b> was blocked');
});

test('a place without a value stays as it is', () => {
  expect(fill('en', 'Hello {name}', {})).toBe('Hello {name}');
});

test('values that are elements keep their place among the words', () => {
  const element = { type: 'b', props: {}, key: null };
  expect(parts('en', 'by {name}, today', { name: element })).toEqual(['by ', element, ', today']);
});
