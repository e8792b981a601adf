import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRequestPath } from '../access-rules/decision/request-path.ts';
import { checkPathPrefix, isBelow } from './access-token.ts';

const name = fc.constantFrom('a', 'A', 'b', 'ab', 'é', 'e\u0301', 'x y', '%', 'a.b', '..', 'a;b');
const names = fc.array(name, { maxLength: 4 });
const encoded = fc
  .array(fc.tuple(name, fc.constantFrom(encodeURIComponent, everyByte)), { maxLength: 5 })
  .map((parts) => parts.map(([text, encode]) => encode(text)));

test('a path is below a prefix exactly if its text begins with the prefix and a slash', () => {
  fc.assert(
    fc.property(names, encoded, fc.constantFrom('', '/', '?q=/a'), (prefixNames, pathNames, end) => {
      let prefix: string;
      try {
        prefix = checkPathPrefix(`/${prefixNames.join('/')}`);
      } catch {
        return;
      }
      const target = `/${pathNames.join('/')}${end}`;
      const path = readRequestPath(target);
      const expected =
        path !== undefined && `/${path.join('/')}/`.startsWith(prefix === '/' ? '/' : `${prefix}/`);
      expect(isBelow(path, prefix)).toBe(expected);
    }),
  );
});

function everyByte(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
