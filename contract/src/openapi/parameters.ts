import type { TObject } from 'typebox';
import { lastEventIdHeader } from '../events/event-stream.ts';
import {
  acceptsIdempotencyKey,
  acceptsIfMatch,
  acceptsIfNoneMatch,
  isStream,
  type Operation,
  type OperationShape,
} from '../shared/operation.ts';
import { exampleIds } from '../shared/schemas.ts';
import type { JsonSchema, ParameterObject, Reference } from './document.ts';

/** The request headers. A function in `operation.ts` decides for each one which operations accept it. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send the request again: for 24 hours, the same idempotency key with the same request and API ' +
      'key returns the first response, and nothing is done twice. Use a new UUID for each new request. The value may ' +
      'be quoted.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '9b2f5c1e-6d0a-4f7e-8c3b-2a1d0e9f8c7b',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the resource as it was read: the request is rejected with 412 if the resource has changed since.',
    schema: { type: 'string' },
    example: '"Zm9vYmFyYmF6cXV4"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of a stored copy: the response is 304 without a body if the resource is unchanged.',
    schema: { type: 'string' },
    example: '"Zm9vYmFyYmF6cXV4"',
  },
  LastEventId: {
    name: lastEventIdHeader,
    in: 'header',
    description: 'The last `id` that the reader has received from the stream: the stream continues after it.',
    schema: { type: 'string', format: 'uuid' },
    example: exampleIds.event,
  },
} as const satisfies Record<string, ParameterObject>;

/** All parameters of the operation. */
export function parametersOf(operation: Operation): (ParameterObject | Reference)[] {
  return [
    ...placedParametersOf(operation),
    ...(acceptsIdempotencyKey(operation) ? [reference('IdempotencyKey')] : []),
    ...(acceptsIfMatch(operation) ? [reference('IfMatch')] : []),
    ...(acceptsIfNoneMatch(operation) ? [reference('IfNoneMatch')] : []),
    ...(isStream(operation) ? [reference('LastEventId')] : []),
  ];
}

/** The path and query parameters. */
export function placedParametersOf({ params, query }: OperationShape): ParameterObject[] {
  return [...parametersIn('path', params), ...parametersIn('query', query)];
}

function parametersIn(place: 'path' | 'query', object: TObject): ParameterObject[] {
  const required: readonly string[] = object.required ?? [];
  return Object.entries(object.properties).map(([name, property]) => {
    const { description, examples, ...schema } = property as JsonSchema;
    return {
      name,
      in: place,
      required: required.includes(name),
      description: description ?? '',
      schema,
      example: examples?.[0] ?? schema.default ?? schema.enum?.[0],
    };
  });
}

function reference(name: keyof typeof headerParameters): Reference {
  return { $ref: `#/components/parameters/${name}` };
}
