import { expect, test } from 'vitest';
import { displayDomain, readDomain, readEmailDomain, toAsciiDomain } from './domain.ts';

test.each([
  ['https://Club.example.org/', 'club.example.org', 'https'],
  [' HTTP://Club.Example.org ', 'club.example.org', 'http'],
  ['https://club.example.org:443/members?week=1#top', 'club.example.org', 'https'],
  ['http://club.example.org:443', 'club.example.org:443', 'http'],
  ['club.example.org.', 'club.example.org', undefined],
  ['club.example.org/members', 'club.example.org', undefined],
  ['Localhost:8080', 'localhost:8080', undefined],
  ['https://Müllerei.example/', 'müllerei.example', 'https'],
  ['xn--mllerei-n2a.example:8443', 'müllerei.example:8443', undefined],
] as const)('%j is understood as the domain %s', (typed, domain, scheme) => {
  expect(readDomain(typed)).toEqual({ domain, scheme });
});

test.each(['', 'two words.example', 'club.example.org:port', 'https://', 'ada@example.org', '%41.example'])(
  '%j stays as it was typed',
  (typed) => {
    expect(readDomain(typed)).toEqual({ domain: typed, scheme: undefined });
  },
);

test('an email domain is read from an email address and from a link', () => {
  expect(readEmailDomain(' @Example.org ')).toBe('example.org');
  expect(readEmailDomain('ada@Example.org')).toBe('example.org');
  expect(readEmailDomain('https://example.org/')).toBe('example.org');
});

test('an internationalized domain is sent in ASCII, and a confusable one is shown in ASCII', () => {
  expect(toAsciiDomain(' müllerei.example:8443')).toBe('xn--mllerei-n2a.example:8443');
  expect(toAsciiDomain('two words')).toBe('two words');
  expect(displayDomain('xn--pple-43d.com')).toBe('xn--pple-43d.com');
});
