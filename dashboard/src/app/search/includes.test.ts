import { expect, test } from 'vitest';
import { matches } from './includes.ts';

test.each([
  ['log everybody out, maintenance', 'log out', true],
  ['log everybody out, maintenance', ' Log OUT everyb', true],
  ['log everybody out, maintenance', 'log in', false],
  ['Log out', 'logout', false],
  ['test email, SMTP', 'email test', true],
  ['test email, SMTP', 'est', true],
  ['test email, SMTP', 'est mail', false],
  ['déconnecter tout le monde, clé d’accès', 'deconnecter', true],
  ['déconnecter tout le monde, clé d’accès', "clé d'accès", true],
  ['全員をログアウト、メンテナンス', 'メンテ', true],
  ['anything', '', true],
  ['anything', '/', false],
])('of %j, %j finds it: %s', (text, typed, isFound) => {
  expect(matches(text, typed)).toBe(isFound);
});
