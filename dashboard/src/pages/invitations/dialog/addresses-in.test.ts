import { expect, test } from 'vitest';
import { addressesIn } from './addresses-in.ts';

test('an address that a text contains several times is invited once, whatever its names', () => {
  const text = 'Ada <ada@example.com>, grace@example.com\nADA@example.com\nCountess <ada@example.com>';
  expect(addressesIn(text)).toEqual(['ada@example.com', 'grace@example.com']);
});

test('what was meant as an address is kept, so that it is rejected visibly', () => {
  expect(addressesIn('ada@example.com\nrosa at example.com')).toEqual([
    'ada@example.com',
    'rosa at example.com',
  ]);
});
