import { expect, test } from 'vitest';
import { fillText, textParts } from './text.ts';

const found = { one: '{count} member', other: '{count} members' };

test('a text with a count uses the plural form and the number format of its language', () => {
  expect(fillText('en', found, { count: 1 })).toBe('1 member');
  expect(fillText('en', found, { count: 12_345 })).toBe('12,345 members');
  expect(fillText('de', { one: '{count} Mitglied', other: '{count} Mitglieder' }, { count: 12_345 })).toBe(
    '12.345 Mitglieder',
  );
});

test('a missing plural form falls back to `other`', () => {
  expect(fillText('ja', { other: 'メンバー {count} 人' }, { count: 1 })).toBe('メンバー 1 人');
});

test('a value is inserted unchanged, even if it looks like a placeholder', () => {
  expect(fillText('en', '{name} was blocked', { name: '{count} <b>' })).toBe('{count} <b> was blocked');
});

test('a placeholder without a value is unchanged', () => {
  expect(fillText('en', 'Hello {name}', {})).toBe('Hello {name}');
});

test('values that are elements keep their position in the text', () => {
  const element = { type: 'b', props: {}, key: null };
  expect(textParts('en', 'by {name}, today', { name: element })).toEqual(['by ', element, ', today']);
});
