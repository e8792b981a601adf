import Type, {
  type Static,
  type TObject,
  type TOptional,
  type TSchema,
  type TSchemaOptions,
  type TUnsafe,
} from 'typebox';

/**
 * The most characters (code points) that a value may have whose real limit holds after trimming or
 * normalising. It stands in the schema so that an overlong value is refused before any work is done on it.
 */
export const longestRawValue = 1_000;

/** Written with `\\x`, which every common regular expression engine knows. */
export const noControlCharacters = '^[^\\x00-\\x1f\\x7f-\\x9f]*$';
/** PostgreSQL cannot store U+0000 in a text, so no store takes it. */
export const noNull = '^[^\\x00]*$';

/** Most access groups that one request may name. */
export const mostAccessGroupIds = 100;

/** One id for each thing, so that the examples of the document fit together. */
export const exampleIds = {
  site: '01980a2f-5b10-7c55-8a01-6f0d2c9b7e11',
  member: '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70',
  otherMember: '01980a3e-7c1c-7033-b8d4-51a2e9c07d18',
  group: '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6',
  event: '01980a3e-7c22-7e0f-a417-90b8c6d5e4f3',
  session: '01980a41-3d10-7a21-8c5f-7e6d5c4b3a29',
  loginLink: '01980a40-91c2-7b33-a0de-1f2e3d4c5b6a',
  operator: '01980a2f-5c44-7d18-9b3e-4a5f6c7d8e90',
  key: '01980a30-02aa-7b61-9e8f-1c2d3e4f5a6b',
  mail: '01980a40-91c9-7d12-b3a4-6c5d4e3f2a1b',
  request: '0f8fad5b-d9cb-469f-a165-70867728950e',
} as const;

/** An id. The length keeps out the `urn:uuid:` prefix, which some checks of the format let through. */
export function uuid(description: string, example: string) {
  return Type.String({ format: 'uuid', maxLength: 36, description, examples: [example] });
}

/** A time in RFC 3339. The length bounds the digits of its fraction. */
export function dateTime(description: string, example = '2026-01-31T09:30:00.000Z') {
  return Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] });
}

/** A closed list of strings. */
export function enumeration<Values extends string[]>(values: readonly [...Values], options: TSchemaOptions) {
  return Type.Enum(values, { type: 'string', ...options });
}

/**
 * A list of strings that may grow within v1, for responses: `x-extensible-enum` names the known values
 * without making validators and generated clients refuse a later one.
 */
export function openEnumeration<Value extends string>(values: readonly Value[], options: TSchemaOptions) {
  return Type.Unsafe<Value>({ type: 'string', 'x-extensible-enum': values, ...options });
}

/** The schema with null allowed, as one list of types: validators and serialisers are fastest with it. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values, ...rest } = schema as Schema & { type: string; enum?: unknown[] };
  return Type.Unsafe({ type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest });
}

/**
 * One of several shapes, distinguished by a property with constant values, so that compilers narrow by it. The
 * options need titles. `growing` marks a list in a response to which shapes may be added within v1.
 */
export function variants<const Options extends readonly TObject[]>(
  tag: string,
  options: Options,
  { growing, ...about }: TSchemaOptions & { title: string; growing?: true },
) {
  const discriminator = { propertyName: tag, ...(growing && { 'x-extensible': true }) };
  return Type.Unsafe<Static<Options[number]>>({
    type: 'object',
    ...about,
    discriminator,
    oneOf: [...options],
  });
}

/** Marks a query parameter that always has a value once the request is validated. */
export interface Defaulted {
  readonly '~defaulted': true;
}

/** A parameter that may be left out and then has the `default` of its schema. */
export function defaulted<Schema extends TSchema>(schema: Schema & { default?: unknown }) {
  return Type.Optional(schema) as TOptional<Schema> & Defaulted;
}

/** For an operation without path parameters, and one without query parameters: anything else is refused. */
export const nothing = Type.Object({}, { additionalProperties: false });

export const Pagination = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'True if more items follow this page.', examples: [true] }),
    nextCursor: nullable(
      uuid(
        'Pass it as `after` to get the next page; null when there are no more pages.',
        exampleIds.otherMember,
      ),
    ),
  },
  { title: 'Pagination', description: 'Where a page stands in its list.' },
);
export type Pagination = Static<typeof Pagination>;

/** The query parameters of every list. */
export const pageParameters = {
  after: Type.Optional(
    uuid(
      'Cursor: the `nextCursor` of the page before. Leave it out for the first page.',
      exampleIds.otherMember,
    ),
  ),
  limit: defaulted(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Items on a page.', examples: [20] }),
  ),
};

/** The path parameters, each written once. */
export const memberIdParameter = uuid('The id of the member.', exampleIds.member);
export const groupIdParameter = uuid('The id of the access group.', exampleIds.group);

/** The body of an answer with one resource. */
export function single<Schema extends TSchema>(data: Schema) {
  return Type.Object({ data });
}

/** The body of an answer with a page of a list. */
export function page<Schema extends TSchema>(item: Schema) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination });
}
