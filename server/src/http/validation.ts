import type { Operation } from '@gatehouse/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { Refusal } from '../base/refusal.ts';
import type { Call } from './call.ts';
import { requireSentences, type ShapeSource, toDetails } from './shape-messages.ts';

const mostDetails = 20;
/** Characters. In a longer request only the first error is told: to find all of them would take the time of others. */
const maxLengthForEveryError = 16_384;

const strictly = {
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  // For the messages: an error then knows its value and its schema.
  verbose: true,
  formats: { email: true },
} as const;
const inBody = newAjv({});
const inBodyEveryError = newAjv({ allErrors: true });
const inText = newAjv({ allErrors: true, useDefaults: true });

export type RequestShape = Pick<Call, 'params' | 'query' | 'body'>;

/**
 * Makes the check of an operation's parameters and body. It fills in defaults and writes ids in lower case.
 * The check throws a Refusal `invalid_request` that names every place (the first twenty).
 */
export function compileShapeCheck(operation: Operation): (shape: RequestShape) => void {
  const params = checkOf(inText, inText, operation.params, 'params');
  const query = checkOf(inText, inText, operation.query, 'query');
  const readNumbers = numberReader(operation.query);
  const body =
    operation.body === null ? undefined : checkOf(inBody, inBodyEveryError, operation.body, 'body');
  return (shape) => {
    params(shape.params);
    readNumbers(shape.query as Record<string, unknown>);
    query(shape.query);
    body?.(shape.body);
  };
}

/** Makes the check of a body that no operation takes: an object with these fields, all there but those that may be left out. */
export function compileBodyCheck<Body>(
  properties: Readonly<Record<string, object>>,
  optional: readonly (keyof Body & string)[] = [],
): (body: unknown) => Body {
  const names = Object.keys(properties);
  const required = names.filter((name) => !(optional as readonly string[]).includes(name));
  const schema = { type: 'object', properties, required, additionalProperties: false };
  const check = checkOf(inBody, inBodyEveryError, schema as TSchema, 'body');
  return (body) => {
    check(body);
    return body as Body;
  };
}

/** The first check ends at the first error; only a small value is worth the full list. */
function checkOf(
  first: Ajv2020,
  every: Ajv2020,
  schema: TSchema,
  source: ShapeSource,
): (value: unknown) => void {
  requireSentences(schema);
  const valid = first.compile(schema);
  const allErrors = every === first ? valid : every.compile(schema);
  const lowerIds = idLowerer(schema);
  return (value) => {
    if (!valid(value)) throw invalidShape(valid, allErrors, value, source);
    lowerIds(value as Record<string, unknown>);
  };
}

function invalidShape(
  first: ValidateFunction,
  every: ValidateFunction,
  value: unknown,
  source: ShapeSource,
): Refusal {
  let errors = first.errors ?? [];
  if (every !== first && JSON.stringify(value ?? null).length <= maxLengthForEveryError) {
    every(value);
    errors = every.errors ?? errors;
  }
  const details = toDetails(errors, source, mostDetails);
  const sentences = details.map(({ message }) => message).join(' ');
  return new Refusal('invalid_request', `Correct the request: ${sentences}`, details);
}

/** Ids are lower case everywhere inside; a caller may write them otherwise (RFC 9562, section 4). */
function idLowerer(schema: TSchema): (value: Record<string, unknown>) => void {
  const properties = Object.entries((schema as { properties?: Record<string, IdSchema> }).properties ?? {});
  const single = properties.filter(([, property]) => property.format === 'uuid').map(([name]) => name);
  const lists = properties.filter(([, property]) => property.items?.format === 'uuid').map(([name]) => name);
  return (value) => {
    for (const name of single) {
      if (typeof value[name] === 'string') value[name] = value[name].toLowerCase();
    }
    for (const name of lists) {
      if (Array.isArray(value[name])) value[name] = value[name].map((id: string) => id.toLowerCase());
    }
  };
}

/** Text is all that a query can carry. Only digits make a number: not `1e2`, not `0x10`, not `Infinity`. */
function numberReader(schema: TSchema): (query: Record<string, unknown>) => void {
  const properties = Object.entries((schema as { properties: Record<string, { type?: string }> }).properties);
  const numbers = properties.filter(([, { type }]) => type === 'integer').map(([name]) => name);
  return (query) => {
    for (const name of numbers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
    }
  };
}

type IdSchema = { format?: string; items?: { format?: string } };

function newAjv(options: object): Ajv2020 {
  const ajv = new Ajv2020({ ...strictly, ...options });
  addFormats.default(ajv, ['uuid', 'date-time']);
  ajv.addVocabulary(['x-extensible-enum']);
  return ajv;
}
