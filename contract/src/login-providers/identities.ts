import type { Static } from 'typebox';
import { named, Resource } from '../shared/resource.ts';
import { dateTime, exampleIds, nullable, shape, text, uuid } from '../shared/schemas.ts';

export const Identity = shape(
  'Identity',
  'An account at a login provider with which a member logs in. Issuer and subject identify it.',
  {
    id: uuid('The identity.', exampleIds.identity),
    memberId: uuid('The member who logs in with it.', exampleIds.member),
    providerId: uuid('The login provider.', exampleIds.loginProvider),
    providerName: text('The name of the login provider.', 'Club account'),
    issuer: text('The issuer of the login provider.', 'https://id.example.org'),
    subject: text('The account at the issuer.', '248289761001'),
    email: nullable(
      text(
        'The email address that the provider named when the account was linked; null if it named none.',
        'ada@example.com',
      ),
    ),
    label: text('How the member knows the account, such as its email address.', 'ada@example.com'),
    createdAt: dateTime('When the account was linked.'),
    lastUsedAt: nullable(
      dateTime('When the member last logged in with it; null if never.', '2026-02-14T18:05:12.345Z'),
    ),
  },
);
export type Identity = Static<typeof Identity>;

const identities = new Resource({
  tag: 'Login providers',
  name: 'identity',
  read: 'members:read',
  write: 'members:block',
});

export const identityOperations = named({
  listMemberIdentities: identities.listAll({
    path: '/members/{memberId}/identities',
    summary: 'List the identities of a member',
    description: 'The accounts at login providers with which the member logs in, newest first.',
    returns: Identity,
    success: 'The identities.',
  }),
  deleteMemberIdentities: identities.delete({
    path: '/members/{memberId}/identities',
    summary: 'Delete all identities of a member',
    description:
      'The member can no longer log in with these accounts until they are linked again. Sessions stay; end them ' +
      'separately.',
    unconditional: true,
    success: 'The member has no identity left.',
  }),
  deleteMemberIdentity: identities.delete({
    path: '/members/{memberId}/identities/{identityId}',
    summary: 'Delete one identity of a member',
    description: 'The member can no longer log in with this account until it is linked again. Sessions stay.',
    unconditional: true,
  }),
});
