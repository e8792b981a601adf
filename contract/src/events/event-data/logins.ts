import { Type } from 'typebox';
import { AccessToken } from '../../credentials/access-tokens.ts';
import { loginMethods } from '../../credentials/sessions.ts';
import { MemberPasskey } from '../../passkeys/passkeys.ts';
import { exampleIds, flag, integer, nullable, openEnumeration, text, uuid } from '../../shared/schemas.ts';
import { data, memberId } from './shared.ts';

/** Why sessions ended before they expired. */
export const sessionEnds = ['logged_out', 'revoked', 'blocked', 'email_changed', 'replaced'] as const;
export type SessionEnd = (typeof sessionEnds)[number];

/** Why access tokens were deleted. */
export const accessTokenEnds = ['deleted', 'logged_out', 'revoked', 'blocked', 'email_changed'] as const;
export type AccessTokenEnd = (typeof accessTokenEnds)[number];

/** Why passkeys were removed. */
export const passkeyEnds = ['removed', 'email_verified', 'email_changed'] as const;
export type PasskeyEnd = (typeof passkeyEnds)[number];

/** How accounts at login providers were linked. */
export const identityLinks = ['verified_email', 'email_login', 'account_page'] as const;
export type IdentityLink = (typeof identityLinks)[number];

/** Why they were removed. */
export const identityEnds = ['removed', 'email_verified', 'email_changed'] as const;
export type IdentityEnd = (typeof identityEnds)[number];

const memberLogin = data('MemberLoginData', {
  memberId,
  sessionId: uuid('The new session.', exampleIds.session),
  method: openEnumeration(
    loginMethods,
    '`link`: with the link in the email. `code`: with the six-digit code in the email. `passkey`: with a ' +
      'passkey. `provider`: with an account elsewhere.',
    'link',
  ),
  passkey: nullable(
    Type.Object(
      { id: MemberPasskey.properties.id, name: MemberPasskey.properties.name },
      { description: 'The passkey, with its name at the time; null for other methods.' },
    ),
  ),
  provider: nullable(
    Type.Object(
      {
        id: uuid('The login provider.', exampleIds.loginProvider),
        name: text('Its name at the time.', 'Club account'),
      },
      { description: 'The login provider; null for other methods.' },
    ),
  ),
});
const loginLinkCreated = data('LoginLinkCreatedData', {
  memberId,
  loginLinkId: uuid('The login link.', exampleIds.loginLink),
  sent: flag('Whether the link was emailed to the member. Otherwise it was returned to the caller.', true),
});
const sessionEvicted = data('SessionEvictedData', {
  memberId,
  sessionIds: Type.Array(uuid('An ended session.', exampleIds.session), {
    description: 'The oldest sessions of the member, which a login has ended.',
  }),
  maxSessions: integer('The limit that the member had.', 3),
});
const sessionRevoked = data('SessionRevokedData', {
  memberId,
  sessionIds: Type.Array(uuid('An ended session.', exampleIds.session), {
    description:
      'The sessions that ended. Empty if the member was logged out everywhere without having one: then only login links ' +
      'were closed or known browsers removed.',
  }),
  reason: openEnumeration(
    sessionEnds,
    '`logged_out`: the member logged out. `revoked`: ended with an API key. `blocked`, `email_changed`: ended by ' +
      'that change of the member. `replaced`: ended by a new login in the same browser.',
    'logged_out',
  ),
});
const identity = {
  memberId,
  identityId: uuid('The identity.', exampleIds.identity),
  providerId: uuid('The login provider.', exampleIds.loginProvider),
  name: text('The name of the login provider at the time.', 'Club account'),
};
const identityLinked = data('MemberIdentityLinkedData', {
  ...identity,
  reason: openEnumeration(
    identityLinks,
    '`verified_email`: the provider vouched for the email address of the member. `email_login`: the member confirmed it ' +
      'after a login by email. `account_page`: the member added it on the account page.',
    'verified_email',
  ),
});
const identityRemoved = data('MemberIdentityRemovedData', {
  ...identity,
  reason: openEnumeration(
    identityEnds,
    '`removed`: the member or the team of the site removed it. `email_verified`: the member has verified the email address ' +
      'for the first time, and it was linked before. `email_changed`: with a change of the email address, or when it was ' +
      'taken back.',
    'removed',
  ),
});
const accessTokenCreated = data('AccessTokenCreatedData', {
  memberId,
  token: Type.Object(
    {
      id: AccessToken.properties.id,
      name: AccessToken.properties.name,
      pathPrefix: AccessToken.properties.pathPrefix,
      expiresAt: AccessToken.properties.expiresAt,
    },
    { description: 'The access token as created, without its secret.' },
  ),
});
const accessTokenDeleted = data('AccessTokenDeletedData', {
  memberId,
  tokenIds: Type.Array(uuid('A deleted access token.', exampleIds.accessToken), {
    description: 'The access tokens that were deleted.',
  }),
  reason: openEnumeration(
    accessTokenEnds,
    '`deleted`: this token was deleted. `logged_out`: the member logged out everywhere. `revoked`: all sessions of ' +
      'the member were ended. `blocked`, `email_changed`: ended by that change of the member.',
    'deleted',
  ),
});

const passkeyAdded = data('MemberPasskeyAddedData', {
  memberId,
  passkey: Type.Object(
    {
      id: MemberPasskey.properties.id,
      name: MemberPasskey.properties.name,
      synced: MemberPasskey.properties.synced,
    },
    { description: 'The passkey as added.' },
  ),
});
const passkeyRemoved = data('MemberPasskeyRemovedData', {
  memberId,
  passkeyIds: Type.Array(uuid('A removed passkey.', exampleIds.passkey), {
    description: 'The passkeys that were removed.',
  }),
  names: Type.Array(MemberPasskey.properties.name, { description: 'Their names, in the same order.' }),
  reason: openEnumeration(
    passkeyEnds,
    '`removed`: this one, or all, were removed by the member or the team of the site. `email_verified`: the member has ' +
      'verified the email address for the first time, and they were added before. `email_changed`: with a change of the ' +
      'email address, or when it was taken back.',
    'removed',
  ),
});

/** The data of events about logins, sessions, access tokens and passkeys, by event type. */
export const loginEvents = {
  'member.login': memberLogin,
  'login-link.created': loginLinkCreated,
  'session.revoked': sessionRevoked,
  'session.evicted': sessionEvicted,
  'member.identity.linked': identityLinked,
  'member.identity.removed': identityRemoved,
  'access-token.created': accessTokenCreated,
  'access-token.deleted': accessTokenDeleted,
  'member.passkey.added': passkeyAdded,
  'member.passkey.removed': passkeyRemoved,
};
