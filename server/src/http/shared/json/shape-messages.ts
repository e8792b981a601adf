import {
  headerNameForm,
  maxRawValueLength,
  maxStreamFilterItems,
  noControlCharacters,
  noNull,
  streamFilterForms,
} from '@gatehouse/contract';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../../base/api-error.ts';

/** The parts of a JSON Schema that requests are validated against and error messages use. */
interface Part {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly oneOf?: readonly Part[];
  readonly discriminator?: { readonly propertyName: string };
}

/** Where a value came from. The message depends on it. */
export type ShapeSource = 'params' | 'query' | 'body';

/** The advice for one broken rule, without the name of the field. */
type Advice = (error: ErrorObject, source: ShapeSource) => string;

/** The message for each rule of a schema: what is wrong, then what to do. */
const sentences: Readonly<Record<string, Advice>> = {
  type: ({ data, parentSchema }, source) => {
    if (source === 'query' && Array.isArray(data)) return 'occurs more than once. Use it once.';
    const wanted = `Use ${wantedValue(parentSchema as Part)}.`;
    return source === 'body' ? `is ${kindOf(data)}. ${wanted}` : `is not a whole number. ${wanted}`;
  },
  format: ({ params }) => formats[params.format]!,
  pattern: ({ params }) => patterns[params.pattern]!,
  enum: ({ params, data }) => `is ${shown(data)}. Use ${listed(params.allowedValues)}.`,
  const: ({ params, data }) => `is ${shown(data)}. Use ${params.allowedValue}.`,
  minLength: ({ params, data }) =>
    `is ${data === '' ? 'empty' : 'too short'}. Use at least ${counted(params.limit, 'character')}.`,
  maxLength: ({ params, parentSchema }) =>
    formats[(parentSchema as Part).format ?? ''] ?? `is too long. ${shorten(params.limit)}`,
  minimum: ({ parentSchema }) => `is too small. Use ${wantedValue(parentSchema as Part)}.`,
  maximum: ({ parentSchema }) => `is too large. Use ${wantedValue(parentSchema as Part)}.`,
  minItems: ({ params, data }) =>
    `${(data as unknown[]).length === 0 ? 'is empty' : 'has too few items'}. Give at least ${counted(params.limit, 'item')}.`,
  maxItems: ({ params }) => `has too many items. Give at most ${counted(params.limit, 'item')}.`,
  minProperties: ({ parentSchema }) =>
    `is empty. Give at least one of ${listed(fieldsOf(parentSchema as Part))}.`,
  required: () => 'is missing. Add it.',
  additionalProperties: ({ parentSchema }) => {
    const known = fieldsOf(parentSchema as Part);
    return `is unknown. Remove it${known.length === 0 ? '' : `, or use ${listed(known)}`}.`;
  },
  discriminator: ({ params, data, parentSchema }) => {
    const allowed = listed(tagValues(parentSchema as Part));
    const given = (data as Record<string, unknown>)[params.tag];
    return given === undefined ? `is missing. Use ${allowed}.` : `is ${shown(given)}. Use ${allowed}.`;
  },
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'is not an ID. Use a UUID such as 01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70.',
  'date-time': 'is not a time. Use a time such as 2026-01-31T09:30:00Z.',
};

const patterns: Readonly<Record<string, string>> = {
  [noControlCharacters]: 'has a control character. Remove it.',
  [noNull]: 'has the character U+0000. Remove it.',
  '^[A-Za-z0-9_-]+$': 'has a character that is not allowed. Use letters, digits, - and _.',
  '^[A-Za-z-]+$': 'is not an HTTP method. Use one such as GET.',
  '^/': 'does not begin with a slash. Use a path such as /courses.',
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': 'is not a language tag. Use one such as en or pt-BR.',
  [streamFilterForms.types]: `is not a list of event types. Use at most ${maxStreamFilterItems}, such as member.created,member.deleted.`,
  [streamFilterForms.groupIds]: `is not a list of IDs. Use at most ${maxStreamFilterItems} UUIDs with commas between them.`,
  [headerNameForm]: 'is not the name of a header. Use letters, digits and hyphens, such as remote-user.',
  '^#[0-9A-Fa-f]{6}$': 'is not in the form #0f766e. Use # and six hexadecimal digits.',
  '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$':
    'is not an image. Use a data: URL of a PNG, JPEG or WebP image, in base64.',
  '^[A-Za-z0-9_+:/-]+$': 'is not a time zone. Use a name of the IANA database such as Europe/Paris.',
};

/** Rules that a value alone cannot break, and annotations. */
const silent = new Set([
  '$id',
  'title',
  'description',
  'examples',
  'default',
  'x-extensible-enum',
  'properties',
  'items',
  'oneOf',
]);

/**
 * Checks that every rule of a schema has a message, so that callers never see the validator's own messages.
 * @throws {Error} for a rule, a format or a pattern without a message
 */
export function requireMessages(schema: object): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const known = keyword in sentences || silent.has(keyword);
    const worded =
      (keyword !== 'format' || value === 'email' || String(value) in formats) &&
      (keyword !== 'pattern' || String(value) in patterns) &&
      (keyword !== 'oneOf' || 'discriminator' in schema);
    if (!known || !worded) throw new Error(`Add a message for ${keyword}: ${value} to shape-messages.ts.`);
  }
  const { properties = {}, items, oneOf = [] } = schema as Part;
  for (const part of [...Object.values(properties), ...(items ? [items] : []), ...oneOf])
    requireMessages(part);
}

/**
 * The errors of at most `maxDetails` fields, and what to do about them. A field that breaks several rules is listed
 * once.
 */
export function toDetails(
  errors: readonly ErrorObject[],
  source: ShapeSource,
  maxDetails: number,
): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of errors) {
    if (details.size === maxDetails) break;
    const path = pathOf(error);
    const sentence = sentences[error.keyword];
    if (!sentence || details.has(path)) continue;
    details.set(path, { path, message: `${nameOf(path)} ${sentence(error, source)}` });
  }
  return [...details.values()];
}

/** The parameter of the validator's error that names the field, for the rules of an object about one of its fields. */
const namedFields: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  required: 'missingProperty',
  discriminator: 'tag',
};

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const nameParameter = namedFields[keyword];
  const name = nameParameter && params[nameParameter];
  return name === undefined ? instancePath : `${instancePath}/${escapePointer(name)}`;
}

/** RFC 6901, section 3; an overlong name is truncated. */
function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A path in dot notation: `members[3].email`. */
function nameOf(path: string): string {
  if (path === '') return 'The body';
  const names = path.slice(1).split('/');
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (name === '' ? '""' : name))
    .map((name, index) => (/^\d+$/.test(name) && index > 0 ? `[${name}]` : `${index > 0 ? '.' : ''}${name}`))
    .join('');
}

function wantedValue(schema: Part): string {
  const types = [schema.type ?? []].flat();
  return types.map((type) => wantedType(type, schema)).join(', or ');
}

function wantedType(type: string, { minimum, maximum, enum: values }: Part): string {
  if (type !== 'integer') return typeNames[type]!;
  if (values) return listed(values);
  if (minimum === undefined) return maximum === undefined ? 'a whole number' : `${maximum} or less`;
  return maximum === undefined
    ? `a whole number from ${minimum}`
    : `a whole number from ${minimum} to ${maximum}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}

/** A given value, if it is short enough to repeat. */
function shown(value: unknown): string {
  if (value === '') return 'empty';
  if (typeof value === 'string' && /^[\w.:-]{1,40}$/.test(value)) return `"${value}", which is unknown`;
  return typeof value === 'string' ? 'unknown' : kindOf(value);
}

function listed(values: readonly unknown[]): string {
  const names = values.map(String);
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** The real limit of a value that is trimmed or normalized first is lower, and is not known here. */
function shorten(limit: number): string {
  return limit === maxRawValueLength ? 'Shorten it.' : `Use at most ${counted(limit, 'character')}.`;
}

function counted(count: number, noun: string): string {
  if (count === 1) return `one ${noun}`;
  return `${count.toLocaleString('en')} ${noun}s`;
}

function fieldsOf({ properties = {} }: Part): string[] {
  return Object.keys(properties);
}

function tagValues({ oneOf = [], discriminator }: Part): unknown[] {
  return oneOf.flatMap(({ properties = {} }) => {
    const tag = properties[discriminator!.propertyName] ?? {};
    return 'const' in tag ? [tag.const] : (tag.enum ?? []);
  });
}
