import type { OperationShape } from '@gatehouse/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { ApiError } from '../../../base/api-error.ts';
import type { CallInput } from '../../../runtime/call.ts';
import { requireMessages, type ShapeSource, toDetails } from './shape-messages.ts';

const maxDetails = 20;
/**
 * Characters. For a longer request only the first error is reported: finding all of them would delay other requests.
 */
const maxLengthForEveryError = 16_384;

const strictly = {
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  // For the messages: each error then includes its value and its schema.
  verbose: true,
  formats: { email: true },
  // The schemas are our own; the tests of the contract check them against the meta-schema.
  meta: false,
  validateSchema: false,
} as const;
const inBody = newAjv({});
const inBodyEveryError = newAjv({ allErrors: true });
const inText = newAjv({ allErrors: true, useDefaults: true });

/**
 * Compiles the check of an operation's parameters and body. It fills in defaults and converts IDs to lowercase. The
 * check throws an `ApiError` `invalid_request` that lists the first twenty invalid fields.
 */
export function compileShapeCheck(operation: OperationShape): (input: CallInput) => void {
  const params = checkOf(inText, inText, operation.params, 'params');
  const query = checkOf(inText, inText, operation.query, 'query');
  const readNumbers = numberReader(operation.query);
  const body =
    operation.body === null ? undefined : checkOf(inBody, inBodyEveryError, operation.body, 'body');
  return (input) => {
    params(input.params);
    readNumbers(input.query as Record<string, unknown>);
    query(input.query);
    body?.(input.body);
  };
}

/** The first check stops at the first error; the full list is computed only for a small value. */
function checkOf(
  first: Ajv2020,
  every: Ajv2020,
  schema: TSchema,
  source: ShapeSource,
): (value: unknown) => void {
  requireMessages(schema);
  const lowerIds = idLowerer(schema);
  let valid: ValidateFunction | undefined;
  return (value) => {
    // Compiled for the first request: compiling every schema would delay the start of the service.
    valid ??= first.compile(schema);
    if (!valid(value)) throw invalidShape(valid, every.compile(schema), value, source);
    lowerIds(value as Record<string, unknown>);
  };
}

function invalidShape(
  first: ValidateFunction,
  every: ValidateFunction,
  value: unknown,
  source: ShapeSource,
): ApiError {
  let errors = first.errors ?? [];
  if (every !== first && JSON.stringify(value ?? null).length <= maxLengthForEveryError) {
    every(value);
    errors = every.errors ?? errors;
  }
  const details = toDetails(errors, source, maxDetails);
  const sentences = details.map(({ message }) => message).join(' ');
  return new ApiError('invalid_request', `Correct the request: ${sentences}`, details);
}

/** IDs are stored in lowercase; a caller may send them in any case (RFC 9562, section 4). */
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

/** Query values are text. Only digits are read as a number: not `1e2`, not `0x10`, not `Infinity`. */
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
