import { expect, test } from 'vitest';
import { isAddress, isNetwork } from './network.ts';

test.each([
  '192.0.2.7',
  '192.0.2.0/24',
  '0.0.0.0/0',
  '10.0.0.0/8',
  '192.0.2.7/32',
  '2001:db8::/32',
  '2001:DB8::1',
  '::/0',
  '::1/128',
  '1:2:3:4:5:6:7:8',
  '::8.8.8.8',
])('%s is a network', (text) => {
  expect(isNetwork(text)).toBe(true);
});

test.each([
  '',
  'office',
  '192.0.2',
  '192.0.2.256',
  '192.0.02.1',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/24/8',
  '192.0.2.7/24',
  '192.0.2.0/-1',
  '2001:db8::1/32',
  '2001:db8::/129',
  '1:2:3',
  'fe80::1%eth0',
  '::ffff:192.0.2.7',
  '64:ff9b::/96',
  '[::1]',
  '::1]:80/[::1',
])('%s is not a network', (text) => {
  expect(isNetwork(text)).toBe(false);
});

test('an address is complete only with all its parts', () => {
  expect(['192.0.2.7', '2001:db8::7'].every(isAddress)).toBe(true);
  expect(['192.0.2.', '192.0.2.0/24', '2001:db8', ''].some(isAddress)).toBe(false);
});
