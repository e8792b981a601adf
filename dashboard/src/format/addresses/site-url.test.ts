import { expect, test } from 'vitest';
import { readSiteUrl } from './site-url.ts';

const host = (domain: string, redirect = false) => ({ domain, scheme: 'https' as const, redirect });
const hosts = [host('club.example'), host('forum.example'), host('www.club.example', true)];

test('a path is taken as it is', () => {
  expect(readSiteUrl(' /course?page=2 ', hosts)).toEqual({ path: '/course?page=2', host: undefined });
  expect(readSiteUrl('course', hosts)).toBe('no_path');
});

test('a URL of a host of the site is its path and query there', () => {
  const url = 'https://forum.example/cours/%C3%A9t%C3%A9?page=2#top';
  expect(readSiteUrl(url, hosts)).toEqual({ path: '/cours/%C3%A9t%C3%A9?page=2', host: 'forum.example' });
  expect(readSiteUrl('http://club.example', hosts)).toEqual({ path: '/', host: 'club.example' });
  expect(readSiteUrl('http://club.example:8080/a', hosts)).toEqual({ path: '/a', host: 'club.example' });
});

test('a URL of a host that redirects counts as one of the primary host', () => {
  expect(readSiteUrl('https://www.club.example/a', hosts)).toEqual({ path: '/a', host: 'club.example' });
});

test('a URL of another website is refused, unless the site has no hosts yet', () => {
  expect(readSiteUrl('https://other.example/a', hosts)).toBe('other_host');
  expect(readSiteUrl('https://other.example/a', [])).toEqual({ path: '/a', host: undefined });
});
