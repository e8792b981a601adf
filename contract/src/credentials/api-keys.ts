import { type Static, Type } from 'typebox';
import { maxRateLimit } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  enumeration,
  exampleIds,
  integer,
  nullable,
  openEnumeration,
  request,
  shape,
  submittedCredentialName,
  text,
  uuid,
} from '../shared/schemas.ts';
import { permissions } from './permissions.ts';

export const ApiKey = shape(
  'ApiKey',
  'The credential of a program for the API. The key itself is returned only once, when it is created.',
  {
    id: uuid('The API key.', exampleIds.key),
    name: text('What the key is for.', 'Shop'),
    last4: text('Its last four characters, to tell keys apart.', 'x7Qa'),
    permissions: Type.Array(openEnumeration(permissions, 'A permission.', 'members:read'), {
      description: 'The permissions of the key.',
    }),
    rateLimit: nullable(count('Requests in 60 s; null for the default of the service, 0 for no limit.', 600)),
    createdAt: dateTime('When the key was created.'),
    lastUsedAt: nullable(
      dateTime('When it was last used, to the hour; null if it was not.', '2026-01-31T09:00:00.000Z'),
    ),
    expiresAt: nullable(dateTime('When the key expires; null if it does not.', '2031-01-31T09:30:00.000Z')),
    revokedAt: nullable(
      dateTime('When the key was revoked; null if it was not.', '2026-03-01T12:00:00.000Z'),
    ),
    replacedBy: nullable(
      uuid('The key that replaces it; null if there is none.', '01980a30-0f51-7e3c-b2a4-5d6e7f809102'),
    ),
  },
);
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = shape('CreatedApiKey', 'A new API key with its secret.', {
  ...ApiKey.properties,
  secret: text(
    'The key itself. It is returned only this once: only a hash of it is stored.',
    'gate_4fJ2mB0y2nTjXo5zq7bYw3ZkQ1cR9s2Wx7Qa',
  ),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const CreateApiKey = request(
  'CreateApiKey',
  {
    name: submittedCredentialName('key', 'Shop'),
    permissions: Type.Optional(
      Type.Array(enumeration(permissions, 'A permission.', 'members:read'), {
        minItems: 1,
        maxItems: 100,
        description:
          'The permissions of the key; the caller must have each of them. Defaults to the permissions of the caller ' +
          'except `webhooks:read`, `webhooks:write`, `sources:write`, `login-links:write`, `api-keys:read`, ' +
          '`api-keys:write`, `operators:read`, `operators:write` and `emails:read`; to all of them if the caller has ' +
          'no other permissions.',
        examples: [['members:read', 'members:write']],
      }),
    ),
    rateLimit: Type.Optional(
      nullable(
        integer(
          'Requests in 60 s; null for the default of the service, 0 for no limit. If the caller is an API key, this ' +
            'cannot be higher than the limit of the caller, and defaults to it. Otherwise it defaults to null.',
          600,
          { minimum: 0, maximum: maxRateLimit },
        ),
      ),
    ),
    expiresAt: Type.Optional(
      nullable(
        dateTime(
          'When the key expires, a time in the future; null for never. If the caller is an API key, this cannot be later ' +
            'than the expiry of the caller, and defaults to it. Otherwise it defaults to null.',
          '2031-01-31T09:30:00.000Z',
        ),
      ),
    ),
  },
  { examples: [{ name: 'Shop', permissions: ['members:read', 'members:write'] }] },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

export const RotateApiKey = request('RotateApiKey', {
  overlapHours: Type.Optional(
    integer(
      'For how many hours the old key continues to work, unless it expires earlier. Defaults to 24; 0 ends it immediately.',
      24,
      { minimum: 0, maximum: 8_760 },
    ),
  ),
});
export type RotateApiKey = Static<typeof RotateApiKey>;

const keys = new Resource({
  tag: 'API keys',
  name: 'API key',
  read: 'api-keys:read',
  write: 'api-keys:write',
});

export const apiKeyOperations = named({
  listApiKeys: keys.list({
    path: '/api-keys',
    summary: 'List API keys',
    description: 'All API keys of the site, revoked and expired ones included, newest first.',
    returns: ApiKey,
  }),
  createApiKey: keys.create({
    path: '/api-keys',
    summary: 'Create an API key',
    description:
      'The response contains the key itself. It is not shown again. The new key cannot have a permission that the ' +
      'caller lacks. If the caller is an API key, the new key cannot expire later or have a higher rate limit than the ' +
      'caller.',
    recentLogin: true,
    body: CreateApiKey,
    returns: CreatedApiKey,
    headers: [],
  }),
  rotateApiKey: keys.create({
    path: '/api-keys/{keyId}/rotate',
    summary: 'Rotate an API key',
    description:
      'Creates a new key with the name, the permissions, the rate limit and the expiry of the old one. The response ' +
      'contains the new key itself. The old key continues to work for `overlapHours`, so that programs can change to the ' +
      'new one without an interruption. The invitations of the old key become those of the new one. The caller needs ' +
      'every permission of the old key. If the caller is an API key, the old key cannot expire later or have a higher ' +
      'rate limit than the caller.',
    recentLogin: true,
    body: RotateApiKey,
    returns: CreatedApiKey,
    headers: [],
    errors: ['key_not_in_force'],
  }),
  revokeApiKey: keys.delete({
    path: '/api-keys/{keyId}',
    summary: 'Revoke an API key',
    description:
      'Permanent and effective immediately. The key stays in the list, and its open invitations are revoked with it. A key ' +
      'can always revoke itself. To revoke another key, the caller needs every permission of that key. If the caller is ' +
      'an API key, that key cannot expire later or have a higher rate limit than the caller.',
    ownKey: 'keyId',
    unconditional: true,
    success: 'The API key is revoked.',
    errors: ['key_not_in_force'],
  }),
});
