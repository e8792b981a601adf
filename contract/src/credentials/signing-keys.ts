import type { Static } from 'typebox';
import type { Operation } from '../shared/operation.ts';
import { dateTime, exampleIds, nothing, nullable, single, uuid } from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';

export const SigningKey = Type.Object(
  {
    id: uuid(
      'The signing key, also its `kid` in tokens and in `/_gatehouse/jwks.json`.',
      exampleIds.signingKey,
    ),
    createdAt: dateTime('When the key was created.'),
    signsFrom: dateTime(
      'From when on the key signs tokens, until a newer key does. It is published earlier, so that every program that ' +
        'verifies tokens knows it by then.',
      '2026-01-31T09:35:00.000Z',
    ),
    publishedUntil: nullable(
      dateTime(
        'When the key is no longer published, because a newer one has replaced it; null for the newest key.',
        '2026-01-31T10:35:00.000Z',
      ),
    ),
  },
  {
    title: 'SigningKey',
    description:
      'A key with which Gatehouse signs the tokens of the site (Ed25519, RFC 8037). Its private part is stored encrypted ' +
      'and never returned.',
  },
);
export type SigningKey = Static<typeof SigningKey>;

export const RotateSigningKeys = Type.Object(
  {
    revokeOld: Type.Optional(
      Type.Boolean({
        description:
          'Whether the new key signs immediately and the older ones are no longer published, because somebody else may ' +
          'have them. Tokens that were signed before become invalid. Defaults to false.',
        examples: [false],
      }),
    ),
  },
  { title: 'RotateSigningKeys', additionalProperties: false },
);
export type RotateSigningKeys = Static<typeof RotateSigningKeys>;

export const listSigningKeys = {
  id: 'listSigningKeys',
  method: 'GET',
  path: '/site/signing-keys',
  tag: 'Site',
  summary: 'List the signing keys',
  description:
    'The keys that sign the edge tokens and identity tokens of the site, newest first; empty until the first one is ' +
    'created. Their public parts are at `/_gatehouse/jwks.json` on the domain of the site (RFC 7517).',
  permission: 'site:read',
  params: nothing,
  query: nothing,
  body: null,
  success: {
    status: 200,
    description: 'The published keys.',
    body: Type.Object({ data: Type.Array(SigningKey) }),
    headers: [],
  },
  errors: [],
} as const satisfies Operation;

export const rotateSigningKeys = {
  id: 'rotateSigningKeys',
  method: 'POST',
  path: '/site/signing-keys',
  tag: 'Site',
  summary: 'Create or rotate the signing key',
  description:
    'Creates a signing key. The first key of a site signs immediately. A later one is published at once and signs five ' +
    'minutes later; the key before it is published for one more hour. A key that does not sign yet is replaced.',
  permission: 'site:write',
  params: nothing,
  query: nothing,
  body: RotateSigningKeys,
  success: { status: 201, description: 'The new key.', body: single(SigningKey), headers: [] },
  errors: [],
} as const satisfies Operation;
