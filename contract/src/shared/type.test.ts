import TypeBox from 'typebox';
import { expect, test } from 'vitest';
import { Type } from './type.ts';

/** The same schema of every kind, with and without options, as JSON. */
function schemasOf(build: typeof Type): string {
  const text = build.String({ minLength: 1, description: 'A name.' });
  const closed = { additionalProperties: false, description: 'All.' };
  return JSON.stringify([
    [build.Array(text), build.Array(text, { maxItems: 3 })],
    [build.Boolean(), build.Boolean({ default: false })],
    [build.Enum(['a', 'b']), build.Enum(['a', 'b'], { type: 'string', default: 'a' })],
    [build.Integer(), build.Integer({ minimum: 0 })],
    [
      build.Literal('a'),
      build.Literal(true, { type: 'boolean' }),
      build.Literal(7, { description: 'Seven.' }),
    ],
    [build.Null(), build.Null({ description: 'Nothing.' })],
    [build.Object({}), build.Object({}, closed), build.Object({ text, other: build.Optional(text) }, closed)],
    [
      build.Object({ other: build.Optional(text) }),
      build.Object({ text: build.Array(text) }, { required: [] }),
    ],
    [build.Union([text, build.Null()]), build.Union([text], { description: 'One.' })],
    build.Unsafe<string>({ type: ['string', 'null'], oneOf: [text] }),
    text,
  ]);
}

test('schemas are those of TypeBox, in the same order', () => {
  expect(schemasOf(Type)).toBe(schemasOf(TypeBox));
});

test('an optional schema is a schema of its own', () => {
  const text = Type.String();
  expect(Type.Object({ optional: Type.Optional(text), text }).required).toEqual(['text']);
});
