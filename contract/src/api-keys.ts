import Type, { type Static } from 'typebox';
import type { Operation } from './operation.ts';
import { permissions } from './permissions.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  longestRawValue,
  noControlCharacters,
  nothing,
  nullable,
  openEnumeration,
  page,
  pageParameters,
  single,
  uuid,
} from './schemas.ts';

export const ApiKey = Type.Object(
  {
    id: uuid('The API key.', exampleIds.key),
    name: Type.String({ description: 'What the key is for.', examples: ['Shop'] }),
    ending: Type.String({
      description: 'Its last four characters, to tell keys apart.',
      examples: ['x7Qa'],
    }),
    permissions: Type.Array(
      openEnumeration(permissions, { description: 'A permission.', examples: ['members:read'] }),
      { description: 'What the key carries.' },
    ),
    rateLimit: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Requests in 60 s; null for the default of the service, 0 for no limit.',
        examples: [600],
      }),
    ),
    createdAt: dateTime('When the key was made.'),
    expiresAt: nullable(
      dateTime('When it stops working by itself; null if it does not.', '2031-01-31T09:30:00.000Z'),
    ),
    revokedAt: nullable(dateTime('When it was revoked; null if it was not.', '2026-03-01T12:00:00.000Z')),
    replacedBy: nullable(
      uuid('The key that takes its place; null if there is none.', '01980a30-0f51-7e3c-b2a4-5d6e7f809102'),
    ),
  },
  {
    title: 'ApiKey',
    description: 'What a program opens the API with. The key itself is told once, when it is made.',
  },
);
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    secret: Type.String({
      description: 'The key itself. It is told this once: only a hash of it is stored.',
      examples: ['gate_4fJ2mB0y2nTjXo5zq7bYw3ZkQ1cR9s2Wx7Qa'],
    }),
  },
  { title: 'CreatedApiKey', description: 'A new API key, with what opens the API.' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const CreateApiKey = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: longestRawValue,
      pattern: noControlCharacters,
      description: 'What the key is for, 1 to 100 characters after trimming.',
      examples: ['Shop'],
    }),
    permissions: Type.Optional(
      Type.Array(enumeration(permissions, { description: 'A permission.', examples: ['members:read'] }), {
        minItems: 1,
        maxItems: 100,
        description:
          'What the key may do, no more than the caller itself may. Left out, everything that the caller may but ' +
          '`login-links:write`, `api-keys:*`, `operators:*` and `mails:read`.',
        examples: [['members:read', 'members:write']],
      }),
    ),
    rateLimit: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000_000,
          description:
            'Requests in 60 s; null for the default of the service, 0 for no limit. A key made with an API key has no ' +
            'higher limit than that one. Left out, it has the limit of that key, and otherwise the default.',
          examples: [600],
        }),
      ),
    ),
    expiresAt: Type.Optional(
      nullable(
        dateTime(
          'When it is to stop working by itself, in the future; null if it is not. A key made with an API key ends no ' +
            'later than that one. Left out, it ends with that key, and otherwise never.',
          '2031-01-31T09:30:00.000Z',
        ),
      ),
    ),
  },
  {
    title: 'CreateApiKey',
    additionalProperties: false,
    examples: [{ name: 'Shop', permissions: ['members:read', 'members:write'] }],
  },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

export const RotateApiKey = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 8_760,
        description: 'How long the old key still works. Taken as 24 when left out; 0 ends it at once.',
        examples: [24],
      }),
    ),
  },
  { title: 'RotateApiKey', additionalProperties: false },
);
export type RotateApiKey = Static<typeof RotateApiKey>;

const keyParams = Type.Object(
  { keyId: uuid('The id of the API key.', exampleIds.key) },
  { additionalProperties: false },
);

export const listApiKeys = {
  id: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Every API key that the site ever had, newest first.',
  permission: 'api-keys:read',
  params: nothing,
  query: Type.Object(pageParameters, { additionalProperties: false }),
  body: null,
  success: { status: 200, description: 'A page of API keys.', body: page(ApiKey), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;

export const createApiKey = {
  id: 'createApiKey',
  method: 'POST',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The answer has the key itself, this once. Nobody can hand on more than they have: no permission that the caller ' +
    'lacks, and where the caller is an API key itself, no later end and no higher limit either. What is left out is ' +
    'taken from that key.',
  permission: 'api-keys:write',
  params: nothing,
  query: nothing,
  body: CreateApiKey,
  success: { status: 201, description: 'The new API key.', body: single(CreatedApiKey), headers: [] },
  errors: [],
} as const satisfies Operation;

export const rotateApiKey = {
  id: 'rotateApiKey',
  method: 'POST',
  path: '/api-keys/{keyId}/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Makes a new key like this one, which goes on working for a while, so that programs can be changed over without a ' +
    'gap. The caller needs every permission of the key; a caller that is an API key itself can rotate no key with a ' +
    'later end or a higher limit than its own.',
  permission: 'api-keys:write',
  params: keyParams,
  query: nothing,
  body: RotateApiKey,
  success: { status: 201, description: 'The new API key.', body: single(CreatedApiKey), headers: [] },
  errors: ['key_not_found', 'key_not_in_force'],
} as const satisfies Operation;

export const revokeApiKey = {
  id: 'revokeApiKey',
  unconditional: true,
  method: 'DELETE',
  path: '/api-keys/{keyId}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Permanent, and at once everywhere. The key stays in the list. A key can always revoke itself. To revoke another one, ' +
    'the caller needs every permission of that key, and where the caller is an API key itself, no earlier end and no ' +
    'lower limit.',
  permission: 'api-keys:write',
  ownKey: 'keyId',
  params: keyParams,
  query: nothing,
  body: null,
  success: { status: 204, description: 'The API key opens nothing any more.', body: null, headers: [] },
  errors: ['key_not_found', 'key_not_in_force'],
} as const satisfies Operation;
