import { expect, test } from 'vitest';
import { plainPath, toAddress } from './pasted-address.ts';

test('an address is taken apart, and nothing else is', () => {
  const address = toAddress(' https://club.example.org:8443/Kurse/%C3%9Cbung%201?week=2#top ')!;
  expect(address.host).toBe('club.example.org:8443');
  expect(plainPath(address)).toBe('/Kurse/Übung 1');
  for (const text of ['/courses', 'club.example.org', 'https://', 'mailto:ada@example.org', ''])
    expect(toAddress(text)).toBeNull();
});

test('a path that cannot be decoded stays as it is', () => {
  expect(plainPath(new URL('https://club.example.org/100%'))).toBe('/100%');
});
