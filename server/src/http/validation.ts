import type { Operation } from '@gatehouse/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { Refusal, type RefusalDetail } from '../base/refusal.ts';
import type { Call } from './call.ts';

const mostDetails = 20;

const strictly = { strict: true, allowUnionTypes: true, formats: { email: true } } as const;
const inBody = newAjv({});
const inBodyEveryError = newAjv({ allErrors: true });
const inText = newAjv({ allErrors: true, useDefaults: true });

export type RequestShape = Pick<Call, 'params' | 'query' | 'body'>;

/**
 * Makes the check of an operation's parameters and body. It fills in defaults and writes ids in lower case.
 * The check throws a Refusal `invalid_request` that names every place (the first twenty).
 */
export function compileShapeCheck(operation: Operation): (shape: RequestShape) => void {
  const params = checkOf(inText, inText, operation.params);
  const query = checkOf(inText, inText, operation.query);
  const readNumbers = numberReader(operation.query);
  const body = operation.body === null ? undefined : checkOf(inBody, inBodyEveryError, operation.body);
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
  const check = checkOf(inBody, inBodyEveryError, schema as TSchema);
  return (body) => {
    check(body);
    return body as Body;
  };
}

/** The first check ends at the first error; only a small value is worth the full list. */
function checkOf(first: Ajv2020, every: Ajv2020, schema: TSchema): (value: unknown) => void {
  const valid = first.compile(schema);
  const allErrors = every === first ? valid : every.compile(schema);
  const lowerIds = idLowerer(schema);
  return (value) => {
    if (!valid(value)) throw invalidShape(valid, allErrors, value);
    lowerIds(value as Record<string, unknown>);
  };
}

function invalidShape(first: ValidateFunction, every: ValidateFunction, value: unknown): Refusal {
  let errors = first.errors ?? [];
  if (every !== first && JSON.stringify(value ?? null).length < 65_536) {
    every(value);
    errors = every.errors ?? errors;
  }
  const details = errors.slice(0, mostDetails).map(toDetail);
  const places = details
    .map(({ path, message }) => `${path === '' ? 'the body' : path} ${message}`)
    .join('; ');
  return new Refusal('invalid_request', `Correct the request: ${places}.`, details);
}

function toDetail(error: ErrorObject): RefusalDetail {
  const { instancePath, keyword, params, message = 'is not allowed' } = error;
  if (keyword === 'additionalProperties') {
    return {
      path: `${instancePath}/${escapePointer(params.additionalProperty)}`,
      message: 'is not known here',
    };
  }
  if (keyword === 'required') {
    return { path: `${instancePath}/${escapePointer(params.missingProperty)}`, message: 'is missing' };
  }
  if (keyword === 'enum') {
    return { path: instancePath, message: `must be one of: ${params.allowedValues.join(', ')}` };
  }
  if (keyword === 'pattern') return { path: instancePath, message: 'has a character that is not allowed' };
  return { path: instancePath, message };
}

/** RFC 6901, section 3; an overlong name is cut. */
function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
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
