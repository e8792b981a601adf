import type { Static, TObject, TOptional, TProperties, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import { Type } from 'typebox';
import { defaultPageSize, maxPageSize } from './limits.ts';

/**
 * Maximum number of characters (code points) of a value whose real limit applies after trimming or normalizing. It is
 * part of the schema, so that an overlong value is rejected before any work is done on it.
 */
export const maxRawValueLength = 1_000;

/** Written with `\\x`, which every common regular expression engine supports. */
export const noControlCharacters = '^[^\\x00-\\x1f\\x7f-\\x9f]*$';
/** PostgreSQL cannot store U+0000 in a text, so no store accepts it. */
export const noNull = '^[^\\x00]*$';
/** The form of a language tag (RFC 5646). */
export const languageTag = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$';

/** One id for each kind of resource, so that the examples of the document are consistent. */
export const exampleIds = {
  site: '01980a2f-5b10-7c55-8a01-6f0d2c9b7e11',
  member: '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70',
  otherMember: '01980a3e-7c1c-7033-b8d4-51a2e9c07d18',
  group: '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6',
  event: '01980a3e-7c22-7e0f-a417-90b8c6d5e4f3',
  session: '01980a41-3d10-7a21-8c5f-7e6d5c4b3a29',
  accessToken: '01980a41-5e72-7c38-9b04-3d2c1b0a9f8e',
  loginLink: '01980a40-91c2-7b33-a0de-1f2e3d4c5b6a',
  operator: '01980a2f-5c44-7d18-9b3e-4a5f6c7d8e90',
  person: '01980a2f-4a91-7c03-8e5d-2f3a4b5c6d7e',
  passkey: '01980a2f-6e07-7f44-8d21-5b6a7c8d9e0f',
  key: '01980a30-02aa-7b61-9e8f-1c2d3e4f5a6b',
  email: '01980a40-91c9-7d12-b3a4-6c5d4e3f2a1b',
  source: '01980a35-2f18-7c64-9a70-8b9c0d1e2f31',
  signingKey: '01980a31-8d40-7e19-b5c2-3f4a5b6c7d82',
  webhook: '01980a36-7a51-7d0e-8f42-6c5b4a392817',
  delivery: '01980a3e-7d90-7b26-9c11-0f1e2d3c4b5a',
  run: '01980a42-4b29-7e75-8c16-9d0e1f2a3b42',
  invitation: '01980a43-1a08-7c51-9e26-2d3c4b5a6978',
  redemption: '01980a43-6b17-7d04-8a3f-5c6d7e8f9a01',
  joinRequest: '01980a43-8c29-7e13-b047-6d7e8f9a0b12',
  otherJoinRequest: '01980a43-9d3a-7f22-a158-7e8f9a0b1c23',
  pageCode: '01980a43-ae4b-7031-8269-8f9a0b1c2d34',
  loginProvider: '01980a43-c06d-7253-a48b-01b2c3d4e5f6',
  identity: '01980a43-d17e-7364-b59c-12c3d4e5f607',
  savedView: '01980a43-bf5c-7142-937a-90a1b2c3d4e5',
  request: '0f8fad5b-d9cb-469f-a165-70867728950e',
} as const;

/** `20,000`. Not by `toLocaleString`, which reads the data of a language: 10 ms of the start of every process. */
export function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** An id. The length excludes the `urn:uuid:` prefix, which some format checks accept. */
export function uuid(description: string, example: string) {
  return Type.String({ format: 'uuid', maxLength: 36, description, examples: [example] });
}

/** A time in RFC 3339. The length limits the digits of its fraction. */
export function dateTime(description: string, example = '2026-01-31T09:30:00.000Z') {
  return Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] });
}

export function text(description: string, example: string, options?: TSchemaOptions) {
  return Type.String({ ...options, description, examples: [example] });
}

/** A text of a request whose real limit applies after trimming or normalizing. */
export function rawText(description: string, example: string) {
  return text(description, example, { minLength: 1, maxLength: maxRawValueLength, pattern: noNull });
}

export function flag(description: string, example: boolean) {
  return Type.Boolean({ description, examples: [example] });
}

export function integer(description: string, example: number, options?: TSchemaOptions) {
  return Type.Integer({ ...options, description, examples: [example] });
}

export function count(description: string, example: number) {
  return integer(description, example, { minimum: 0 });
}

/** A named object of a response. Further properties may be added to it within v1. */
export function shape<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
) {
  return Type.Object(properties, { title, description });
}

/** A named object of a request, which has no other properties. */
export function request<Properties extends TProperties>(
  title: string,
  properties: Properties,
  { description, ...options }: TSchemaOptions = {},
) {
  const about = { title, ...(description && { description }), additionalProperties: false };
  return Type.Object(properties, { ...about, ...options });
}

/** The same properties, none of them required. */
export function optional<Properties extends TProperties>(properties: Properties): OptionalOf<Properties> {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries) as OptionalOf<Properties>;
}

export type OptionalOf<Properties extends TProperties> = {
  [Name in keyof Properties]: TOptional<Properties[Name]>;
};

/** A request that changes one or more of the fields. */
export function changes<Properties extends TProperties>(
  title: string,
  fields: Properties,
  options?: TSchemaOptions,
) {
  return request(title, optional(fields), {
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    minProperties: 1,
    ...options,
  });
}

/** An object or null. */
export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A closed list of strings. */
export function enumeration<Values extends string[]>(
  values: readonly [...Values],
  description: string,
  example?: Values[number],
) {
  return Type.Enum(values, { type: 'string', ...about(description, example) });
}

/** A closed list of integers. */
export function integerEnumeration<const Value extends number>(
  values: readonly Value[],
  description: string,
  example?: Value,
) {
  return Type.Unsafe<Value>({ type: 'integer', enum: [...values], ...about(description, example) });
}

/**
 * A list of strings that may grow within v1, for responses: `x-extensible-enum` names the known values, and validators
 * and generated clients still accept new values.
 */
export function openEnumeration<Value extends string>(
  values: readonly Value[],
  description: string,
  example?: string,
) {
  return Type.Unsafe<Value>({ type: 'string', 'x-extensible-enum': values, ...about(description, example) });
}

function about(description: string, example?: unknown) {
  return { description, ...(example !== undefined && { examples: [example] }) };
}

/** The schema with null allowed, as a list of types, which is the fastest form for validators and serializers. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values, ...rest } = schema as Schema & { type: string; enum?: unknown[] };
  return Type.Unsafe({ type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest });
}

/**
 * One of several shapes, distinguished by a property with constant values, so that compilers can narrow the type. The
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

/** Marks a query parameter that always has a value after validation. */
export interface Defaulted {
  readonly '~defaulted': true;
}

/** An optional parameter. */
export function defaulted<Schema extends TSchema>(schema: Schema, value: Static<Schema>) {
  const withDefault: Schema = { ...schema, default: value };
  return Type.Optional(withDefault) as TOptional<Schema> & Defaulted;
}

/** An object in a request, which has no other properties. */
export function closed<Properties extends TProperties = Record<never, never>>(properties?: Properties) {
  return Type.Object((properties ?? {}) as Properties, { additionalProperties: false });
}

/** For operations without path parameters or without query parameters: any parameter is rejected. */
export const nothing = closed();

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
  { title: 'Pagination', description: 'The position of a page in its list.' },
);
export type Pagination = Static<typeof Pagination>;

/** The query parameters of every list. */
export const pageParameters = {
  after: uuid(
    'Cursor: the `nextCursor` of the previous page. Leave it out for the first page.',
    exampleIds.otherMember,
  ),
  limit: defaulted(
    integer('Maximum number of items on a page.', 20, { minimum: 1, maximum: maxPageSize }),
    defaultPageSize,
  ),
};

/** A member in the body of a request or response. */
export const memberIdParameter = uuid('The id of the member.', exampleIds.member);

/** A parameter of a request for numbers by day. */
export const timeZoneOfDays = text(
  'The time zone that defines the days, as a name of the IANA database.',
  'Europe/Paris',
  { minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_+:/-]+$' },
);

/** The name of a new key or access token. */
export function submittedCredentialName(credential: 'key' | 'token', example: string) {
  return Type.String({
    minLength: 1,
    // The cap is higher than the limit, because the limit applies after trimming.
    maxLength: maxRawValueLength,
    pattern: noControlCharacters,
    description: `What the ${credential} is for, 1 to 100 characters after trimming.`,
    examples: [example],
  });
}

/** The body of a response with one resource. */
export function single<Schema extends TSchema>(data: Schema) {
  return Type.Object({ data });
}

/** The body of a response with a list without pages. */
export function all<Schema extends TSchema>(item: Schema) {
  return Type.Object({ data: Type.Array(item) });
}

/** The body of a response with a page of a list. */
export function page<Schema extends TSchema>(item: Schema) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination });
}
