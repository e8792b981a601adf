import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { toAsciiDomain } from '../sites/domains.ts';

const label = fc.oneof(
  fc.domain(),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('１２３', '０x７f', 'xn--a', 'ß', '例え。テスト', '1٫2', '\u00ad', '\u200d'),
);

test('the ASCII form of a domain is the one that Node gives it, without using Node', () => {
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const domain = labels.join('.');
      const ascii = toAsciiDomain(domain);
      if (ascii === null) return;
      if (/[^\x21-\x7e]/.test(domain)) expect(ascii).toBe(domainToASCII(domain));
      expect(toAsciiDomain(ascii)).toBe(ascii);
    }),
    { numRuns: 5_000 },
  );
});
