import { expect, test } from 'vitest';
import { checkReferer } from './next-path.ts';

const origin = 'https://club.example.org';

test.each([
  [`${origin}/members/form?a=b`, '/members/form?a=b'],
  [`${origin}/members/form#part`, '/members/form'],
  ['HTTPS://CLUB.example.org:443/form', '/form'],
  [`${origin}/_gatehouse/account`, '/_gatehouse/account'],
])('a login after a form leads to its page: %s', (referer, path) => {
  expect(checkReferer(referer, origin)).toBe(path);
});

test.each([
  undefined,
  '',
  '/members/form',
  'no address',
  'about:blank',
  'null',
  'http://club.example.org/form',
  'https://club.example.org:8443/form',
  'https://club.example.org.evil.example/form',
  'https://club.example.org@evil.example/form',
  'https://evil.example/form',
  'javascript:alert(1)',
  'data:text/html,x',
  `${origin}//evil.example`,
  `${origin}/\\evil.example`,
  `${origin}/_gatehouse/login`,
  `${origin}/_gatehouse/logout`,
  `${origin}/%5Fgatehouse/link/x`,
  `${origin}/${'x'.repeat(2_000)}`,
])('a login after a form leads nowhere else: %s', (referer) => {
  expect(checkReferer(referer, origin)).toBe('/');
});
