import { expect, test } from 'vitest';
import { passwordsIn, shownReply } from './mail-server-reply.ts';

const content = { fromName: 'Club', subject: 'Log in', text: 'Open the link', html: '<p>Open the link</p>' };

test.each([
  ['550-5.1.1 The email account that you tried\r\n550 5.1.1 to reach does not exist.\r\n'],
  ['550-5.1.1 The email account\n550-5.1.1 that you tried to reach\n550 5.1.1 does not exist.'],
  ['550 5.1.1 The email account that you tried\n to reach does not exist.'],
])('a reply of several lines is joined without their codes: %j', (response) => {
  expect(shownReply(response, content, [])).toBe(
    '550 5.1.1 The email account that you tried to reach does not exist.',
  );
});

test.each([undefined, '', '\r\n', '\u0000'])('no words are shown for %j', (response) => {
  expect(shownReply(response, content, [])).toBeNull();
});

test('half of a character is never shown', () => {
  const shown = shownReply(`550 \ud800${'😀'.repeat(500)}`, content, []);
  expect(shown!.isWellFormed()).toBe(true);
  expect([...shown!]).toHaveLength(300);
});

test.each(['smtp://mx.example.com', 'smtp://door@mx.example.com'])('%s has no password', (url) => {
  expect(passwordsIn(url)).toEqual([]);
});

test('a password that is not encoded correctly is found as it stands', () => {
  expect(passwordsIn('smtp://door:100%@mx.example.com')).toContain('100%');
});
