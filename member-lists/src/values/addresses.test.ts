import { normalizeEmail } from '@gatehouse/contract/email-address';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressIn, readAddress } from './addresses.ts';

describe('the address of a cell is found', () => {
  test.each([
    'ada@x.org',
    ' ADA@x.org ',
    '\u00a0ada@x.org\u2009\u3000',
    '\u200bada@x.org\ufeff',
    '\u202aada@x.org\u202c',
    'ada@\u00adx.org',
    'a\u200bda@x\u200b.org',
    'ada@x.org;',
    'ada@x.org ,',
    'ada@x.org.',
    '; ada@x.org ;',
    '"ada@x.org"',
    "'ada@x.org'",
    '“ada@x.org”',
    '„ada@x.org“',
    '«\u00a0ada@x.org\u00a0»',
    '<ada@x.org>',
    '"<ada@x.org>",',
    'mailto:ada@x.org',
    'MAILTO:ada@x.org?subject=Hello%20Ada&cc=bob@x.org',
    '<mailto:ada@x.org>',
    'ada@x.org; ADA@x.org',
    'ada@x.org <ada@x.org>',
  ])('%j', (cell) => expect(readAddress(cell)).toEqual({ address: 'ada@x.org', name: '' }));

  test.each([
    ['Ada <ada@x.org>', 'Ada'],
    ['Ada Lovelace<ada@x.org>;', 'Ada Lovelace'],
    ['"Lovelace, Ada" <ada@x.org>', 'Lovelace, Ada'],
    ['"Ada \\"Countess\\" L." <ada@x.org>', 'Ada "Countess" L.'],
    ["'Ada' <mailto:ada@x.org>", 'Ada'],
    ['Ada <3 <ada@x.org>', 'Ada <3'],
    ['エイダ＜ada@x.org＞', 'エイダ'],
    ['O’Hara, Ada <ada@x.org>', 'O’Hara, Ada'],
  ])('%j with its name', (cell, name) => expect(readAddress(cell)).toEqual({ address: 'ada@x.org', name }));
});

test.each(['', ' ', '\u00a0\u200b\ufeff', '\u3000', '\t'])('%j has no address', (cell) =>
  expect(readAddress(cell)).toEqual({ address: null, problem: 'no_email' }),
);

test.each([
  'ada',
  'ada@',
  '@x.org',
  'n/a',
  '-',
  'ada lovelace@x.org',
  'Ada ada@x.org',
  'ada@x.org (private)',
  'Write to ada@x.org',
  'ada@x.org; bob@',
  'Ada <ada@x.org> and Bob',
  'Ada <ada>',
  'ada＠x.org',
  // Cyrillic letters stay what they are.
  'аda@x.org',
  'https://x.org/ada@x.org?',
  `${'a'.repeat(65)}@x.org`,
  `Ada ${'x'.repeat(1_000)} <ada@x.org>`,
])('%j is not an address', (cell) =>
  expect(readAddress(cell)).toEqual({ address: null, problem: 'invalid_email' }),
);

test.each([
  'ada@x.org; bob@x.org',
  'ada@x.org,bob@x.org',
  'ada@x.org bob@x.org',
  'ada@x.org / bob@x.org',
  'ada@x.org/bob@x.org',
  'ada@x.org|bob@x.org',
  'ada@x.org\nbob@x.org',
  'ada@x.org ::: bob@x.org',
  'Ada <ada@x.org>, Bob <bob@x.org>',
  'ada@x.org <bob@x.org>',
  'ada@x.org (bob@x.org)',
  'mailto:ada@x.org, bob@x.org, eve@x.org',
  '"ada@x.org";"bob@x.org"',
])('%j has several addresses', (cell) =>
  expect(readAddress(cell)).toEqual({
    address: null,
    problem: 'several_emails',
    emails: ['ada@x.org', 'bob@x.org'],
  }),
);

/** Texts near to addresses, with all that is cleaned. */
const nearAddresses = fc.array(
  fc.constantFrom(...'a@x.org,;<>"\'mailto: ?|/.\u200b\u00a0\u00ad＜“'.match(/mailto:|x\.org|./gu)!),
  { maxLength: 12 },
);

test('a plain address stays itself, and what is found is one', () => {
  fc.assert(
    fc.property(nearAddresses, (parts) => {
      const cell = parts.join('');
      const plain = normalizeEmail(cell);
      const { address } = readAddress(cell);
      if (plain !== null) expect(address).toBe(plain);
      if (address === null) return;
      expect(normalizeEmail(address)).toBe(address);
      expect(readAddress(address)).toEqual({ address, name: '' });
      expect(addressIn(cell)).toBe(address);
    }),
    { numRuns: 20_000 },
  );
});
