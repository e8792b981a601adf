import { expect, test } from 'vitest';
import { markedMeaning, suggestedMeaning } from './words.ts';

test.each([
  ['active', 'Active Aktiv actif activo 有効 approved subscribed Mitglied 正会員'],
  ['blocked', 'Suspended banned disabled Deactivated blocked gesperrt suspendue bloqueado 停止 停止中'],
  [
    'leftOut',
    'cancelled canceled expired unsubscribed deleted gekündigt ausgetreten résilié cancelado baja 退会 退会済',
  ],
  ['leftOut', 'Gold xyzzy'],
])('the suggestion %s is made for the words %s', (meaning, words) => {
  expect(words.split(' ').map(suggestedMeaning)).toEqual(words.split(' ').map(() => meaning));
});

test('a mark below the word for a state has its meaning', () => {
  expect(markedMeaning('Suspended', 'yes')).toBe('blocked');
  expect(markedMeaning('is_banned', '0')).toBe('active');
  expect(markedMeaning('gesperrt?', 'Nein')).toBe('active');
  expect(markedMeaning('Ausgetreten', 'x')).toBe('leftOut');
  expect(markedMeaning('Active', '1')).toBe('active');
  expect(markedMeaning('Active', 'no')).toBeUndefined();
  expect(markedMeaning('Status', 'yes')).toBeUndefined();
  expect(markedMeaning('Suspended', 'Former patron')).toBeUndefined();
});
