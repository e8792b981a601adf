import { Type } from 'typebox';
import type { Operation } from '../shared/operation.ts';
import { nothing, text } from '../shared/schemas.ts';

/** Further fields are allowed: OpenAPI 3.1 defines the content of the document. */
const OpenApiDocument = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      openapi: text('The version of OpenAPI.', '3.1.0'),
    },
    { title: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.', additionalProperties: true },
  ),
);

export const getOpenApi = {
  id: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'API',
  summary: 'Get this document',
  description: 'The OpenAPI 3.1 document of this API. No key is needed.',
  permission: null,
  params: nothing,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The document.', body: OpenApiDocument, headers: ['ETag'] },
  errors: [],
} as const satisfies Operation;
