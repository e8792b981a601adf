import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiQuery, displayAddress } from './email-address.ts';

test.each([
  'münchen.de',
  'straße.example',
  'łódź.pl',
  '日本語.jp',
  '한국.kr',
  'пример.рф',
  'παράδειγμα.ελ',
  'مثال.example',
])('the domain %s is shown in its own letters', (domain) =>
  expect(displayAddress(`lena@${domainToASCII(domain)}`)).toBe(`lena@${domain}`),
);

test.each(['аррӏе.com', 'pаypal.com', 'gооgle.com', 'ɡoogle.com', 'ολα.com'])(
  'the domain %s, which looks like another one, stays in ASCII',
  (domain) => {
    const email = `lena@${domainToASCII(domain)}`;
    expect(displayAddress(email)).toBe(email);
  },
);

test.each([
  'ada@example.com',
  'ada@xn--.example',
  'ada@xn--a',
  'ada@xn--abc-.de',
  'xn--mnchen-3ya@example.com',
  'nobody',
  '',
])('%j is shown as it is', (email) => expect(displayAddress(email)).toBe(email));

test.each([
  ['münchen', 'xn--mnchen-3ya'],
  ['lena@MÜNCHEN.de', 'lena@xn--mnchen-3ya.de'],
  ['@münchen.de', '@xn--mnchen-3ya.de'],
  ['ada@example.com', undefined],
  ['Jörg Müller', undefined],
  ['ü/x', undefined],
  ['', undefined],
])('%j is looked for as %j', (query, ascii) => expect(asciiQuery(query)).toBe(ascii));

test('the shown address always leads to the same domain', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9-]{0,30}$/), (label) => {
      const email = `lena@xn--${label}.de`;
      const [, domain = ''] = displayAddress(email).split('@');
      expect(domainToASCII(domain) || domain).toBe(`xn--${label}.de`);
    }),
  );
});
