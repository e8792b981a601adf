import type { TObject } from 'typebox';
import { type Operation, takesIdempotencyKey, takesIfMatch, takesIfNoneMatch } from '../operation.ts';
import type { JsonSchema, ParameterObject, Reference } from './document.ts';

/** The request headers, each taken by the operations that its function in `operation.ts` tells. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send the request again: for 24 hours, the same key with the same request and API key is answered ' +
      'with the first response, and nothing is done twice. Use a new UUID for each new request. Bare, or as a quoted string.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '9b2f5c1e-6d0a-4f7e-8c3b-2a1d0e9f8c7b',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` that was read: the request is refused with 412 if the resource has changed since.',
    schema: { type: 'string' },
    example: '"Zm9vYmFyYmF6cXV4"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` that is already known: the answer is 304 without a body if the resource is unchanged.',
    schema: { type: 'string' },
    example: '"Zm9vYmFyYmF6cXV4"',
  },
} as const satisfies Record<string, ParameterObject>;

/** Everything the operation takes beside its body. */
export function parametersOf(operation: Operation): (ParameterObject | Reference)[] {
  return [
    ...parametersIn('path', operation.params),
    ...parametersIn('query', operation.query),
    ...(takesIdempotencyKey(operation) ? [reference('IdempotencyKey')] : []),
    ...(takesIfMatch(operation) ? [reference('IfMatch')] : []),
    ...(takesIfNoneMatch(operation) ? [reference('IfNoneMatch')] : []),
  ];
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
