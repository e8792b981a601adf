import { expect, test } from 'vitest';
import { decodedPath, toUrl } from './pasted-url.ts';

test('only a URL is split into its parts', () => {
  const address = toUrl(' https://club.example.org:8443/Kurse/%C3%9Cbung%201?week=2#top ')!;
  expect(address.host).toBe('club.example.org:8443');
  expect(decodedPath(address)).toBe('/Kurse/Übung 1');
  for (const text of ['/courses', 'club.example.org', 'https://', 'mailto:ada@example.org', ''])
    expect(toUrl(text)).toBeNull();
});

test('a path that cannot be decoded is unchanged', () => {
  expect(decodedPath(new URL('https://club.example.org/100%'))).toBe('/100%');
});
