import { type Static, Type } from 'typebox';
import { named, Resource } from '../shared/resource.ts';
import { dateTime, exampleIds, flag, nullable, request, shape, uuid } from '../shared/schemas.ts';

export const SigningKey = shape(
  'SigningKey',
  'A key with which Gatehouse signs the tokens of the site (Ed25519, RFC 8037). Its private part is stored encrypted ' +
    'and never returned.',
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
);
export type SigningKey = Static<typeof SigningKey>;

export const RotateSigningKeys = request('RotateSigningKeys', {
  revokeOld: Type.Optional(
    flag(
      'Whether the new key signs immediately and the older ones are no longer published, in case they ' +
        'have leaked. Tokens that they signed become invalid. Defaults to false.',
      false,
    ),
  ),
});
export type RotateSigningKeys = Static<typeof RotateSigningKeys>;

const keys = new Resource({
  tag: 'Site',
  name: 'key',
  read: 'site:read',
  write: 'site:write',
});

export const signingKeyOperations = named({
  listSigningKeys: keys.listAll({
    path: '/site/signing-keys',
    summary: 'List the signing keys',
    description:
      'The keys that sign the edge tokens and identity tokens of the site, newest first; empty until the first one is ' +
      'created. Their public parts are at `/_gatehouse/jwks.json` on the domain of the site (RFC 7517).',
    returns: SigningKey,
    success: 'The published keys.',
  }),
  rotateSigningKeys: keys.create({
    path: '/site/signing-keys',
    summary: 'Create or rotate the signing key',
    description:
      'Creates a signing key. The first key of a site signs immediately. A later one is published at once and signs five ' +
      'minutes later; the key before it is published for one more hour. A key that does not sign yet is replaced.',
    body: RotateSigningKeys,
    returns: SigningKey,
    headers: [],
  }),
});
