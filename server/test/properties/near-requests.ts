import type { OperationShape } from '@gatehouse/contract';
import fc from 'fast-check';
import { anyCharacter } from '../../../contract/test/any-character.ts';

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }).map((value) => value.toWellFormed()),
  fc.string({ maxLength: 1_200 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '%',
    "'; DROP TABLE members; --",
    '"*"',
    'NEAR(a b)',
    'ß',
    'İ',
    '\u202e',
    'null',
    '1e400',
  ),
  fc.uuid(),
  fc.emailAddress(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999-23:59',
    '2016-12-31T23:59:60Z',
    'true',
    'asc',
    '100',
  ),
);
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.boolean(),
  fc.constant(null),
  fc.double(),
  fc.integer(),
  fc.array(text, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A request similar to a valid one, with some parts changed. */
export function requestFor(operation: OperationShape) {
  const named = (names: readonly string[], arbitrary: fc.Arbitrary<string>) =>
    fc.dictionary(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom('x', ...names) }, fc.string({ maxLength: 8 })),
      arbitrary,
      {
        maxKeys: 3,
      },
    );
  const params = Object.keys(operation.params.properties);
  const bodyFields = Object.keys((operation.body as { properties?: object } | null)?.properties ?? {});
  const segment = fc
    .oneof(fc.uuid(), text.filter((each) => each !== '').map(encodeURIComponent))
    .filter(isPlainSegment);
  return fc.record({
    ids:
      params.length === 0
        ? fc.constant(undefined)
        : fc.option(fc.record(Object.fromEntries(params.map((name) => [name, segment]))), { nil: undefined }),
    query: named(Object.keys(operation.query.properties), text),
    fields: fc.option(fc.dictionary(fc.constantFrom('x', ...bodyFields), value, { maxKeys: 3 })),
    whole: fc.option(fc.jsonValue({ maxDepth: 2 }), { freq: 6 }),
    headers: fc.dictionary(
      fc.constantFrom('if-match', 'if-none-match', 'idempotency-key', 'x-request-id'),
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.string({ minLength: 1, maxLength: 300 }).map((each) => each.trim() || '*'),
        },
        fc.constant('*'),
      ),
      { maxKeys: 2 },
    ),
  });
}

/** The body of a valid request with some fields replaced, or another body. */
export function bodyOf(ready: unknown, fields: object | null, whole: unknown): unknown {
  if (whole !== null) return JSON.stringify(whole);
  return JSON.stringify({ ...(ready as object), ...fields });
}

/** Dots alone would make the client resolve the path to another one. */
function isPlainSegment(segment: string): boolean {
  return !/^(\.|%2e){1,2}$/i.test(segment) && segment.length < 2_000;
}
