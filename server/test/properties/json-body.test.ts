import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../contract/test/any-character.ts';
import { ApiError } from '../../src/base/api-error.ts';
import { parseJsonBody } from '../../src/http/shared/json/json-body.ts';

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"', '\\', ',', '{', '}', '[', ']', ':'),
);
const key = text.filter((name) => name !== '__proto__');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));

const maxNesting = 16;
const depthOf = (json: unknown): number =>
  typeof json === 'object' && json !== null ? 1 + Math.max(0, ...Object.values(json).map(depthOf)) : 0;
const shallow = value.filter((json) => depthOf(json) <= maxNesting);

/** The same value written differently: with white space, and with escaped characters. */
const written = fc
  .tuple(shallow, fc.constantFrom(undefined, 1, '\t', ' \n '), fc.boolean())
  .map(([json, space, escaped]) => {
    const plain = JSON.stringify(json, null, space);
    return escaped
      ? plain.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : plain;
  });

const parse = (json: string) => parseJsonBody(Buffer.from(json));

test('a body of valid JSON equals the result of JSON.parse', () => {
  fc.assert(
    fc.property(written, (json) => {
      expect(parse(json)).toEqual(JSON.parse(json));
    }),
    { numRuns: 2_000 },
  );
});

test('a duplicate key in an object is rejected, at any position and in any notation', () => {
  fc.assert(
    fc.property(
      key,
      shallow,
      shallow,
      fc.boolean(),
      fc.nat({ max: 5 }),
      (name, one, other, escaped, depth) => {
        const again = escaped
          ? `"${Array.from({ length: name.length }, (_, index) => `\\u${name.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`
          : JSON.stringify(name);
        const object = `{${JSON.stringify(name)}:${JSON.stringify(one)} ,${again}: ${JSON.stringify(other)}}`;
        expect(() => parse(`${'['.repeat(depth)}${object}${']'.repeat(depth)}`)).toThrow(ApiError);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('after a change at one position only valid JSON is accepted', () => {
  fc.assert(
    fc.property(
      written,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', '{', '}', '[', ']', ':', '\0', '1', '\ud800'),
      (json, place, insert) => {
        const at = place % (json.length + 1);
        const changed = json.slice(0, at) + insert + json.slice(at + 1);
        let passed: unknown;
        try {
          passed = parse(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          return;
        }
        expect(passed).toEqual(JSON.parse(Buffer.from(changed).toString()));
      },
    ),
    { numRuns: 3_000 },
  );
});
