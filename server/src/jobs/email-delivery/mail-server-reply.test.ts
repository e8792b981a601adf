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

test.each([
  ['=?UTF-8?B?44Ot44Kw44Kk44Oz77ya?= =?UTF-8?B?NzM4Mjkx?=', '[…] […]'],
  ['=?UTF-8?Q?Club_=C3=A9_:_73?= =?utf-8*de?q?8291?=', '[…] […]'],
  ['"=?UTF-8?B?NzM4Mjkx', '"[…]'],
])('the code is not shown as a part of an encoded subject: %s', (subject, shown) => {
  const withCode = { ...content, subject: 'ログイン：738291' };
  expect(shownReply(`554 5.7.1 Spam: ${subject}`, withCode, [])).toBe(`554 5.7.1 Spam: ${shown}`);
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
