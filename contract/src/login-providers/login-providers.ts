import { type Static, Type } from 'typebox';
import { maxGroupMappings, maxLoginProviders, maxRawSecretLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  count,
  dateTime,
  enumeration,
  exampleIds,
  flag,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nullable,
  openEnumeration,
  optional,
  rawText,
  request,
  shape,
  single,
  text,
  uuid,
} from '../shared/schemas.ts';

/** `github` has no ID tokens; the others follow OpenID Connect. */
export const loginProviderTypes = ['oidc', 'google', 'microsoft', 'github', 'apple'] as const;
export type LoginProviderType = (typeof loginProviderTypes)[number];

export const emailTrusts = ['claim', 'never', 'always'] as const;
export type EmailTrust = (typeof emailTrusts)[number];

export const providerChecks = ['issuer', 'clock', 'secret', 'redirect_uri'] as const;
export type ProviderCheckName = (typeof providerChecks)[number];

const typeText =
  '`oidc`: any server with OpenID Connect, such as Keycloak. `google`, `microsoft` (Entra ID), `github`, `apple`. It never changes.';
const nameText = 'Its name on the login page. At most 100 characters.';
const issuerText =
  'The issuer of its ID tokens, exactly as the server names it. With the subject it identifies an account. It never changes.';
const clientIdText = 'The client ID that the provider has given to this site.';
const tenantText = 'Of `microsoft`: the ID of the directory; null for other types.';
const teamIdText = 'Of `apple`: the ID of the team; null for other types.';
const privateKeyIdText = 'Of `apple`: the ID of the private key; null for other types.';
const trustText =
  '`claim`: an email address counts as verified if the provider says so at the login. `never`: not even then. `always`: ' +
  'every email address counts, for `oidc` only: anyone who can choose one there can log in as the member who has it.';
const groupsClaimText = 'The claim with the groups of an account; null if they are not used.';
const secretText =
  'The client secret; of `apple` the private key, as in the .p8 file. It is stored encrypted and never returned.';

const GroupMapping = Type.Object(
  {
    value: text('A value of the claim.', 'rowers', {
      minLength: 1,
      maxLength: maxRawValueLength,
      pattern: noControlCharacters,
    }),
    accessGroupId: uuid('The custom group whose membership follows it.', exampleIds.group),
  },
  {
    title: 'GroupMapping',
    description: 'A value of the claim of groups, and the access group that follows it.',
  },
);
export type GroupMapping = Static<typeof GroupMapping>;

const groupMap = Type.Array(GroupMapping, {
  maxItems: maxGroupMappings,
  description: `Which custom groups follow the values of the claim at each login. At most ${maxGroupMappings}.`,
  examples: [[{ value: 'rowers', accessGroupId: exampleIds.group }]],
});

export const LoginProvider = shape(
  'LoginProvider',
  'A server where members have an account with which they can log in.',
  {
    id: uuid('The login provider.', exampleIds.loginProvider),
    type: openEnumeration(loginProviderTypes, typeText, 'oidc'),
    name: text(nameText, 'Club account'),
    issuer: text(issuerText, 'https://id.example.org'),
    clientId: text(clientIdText, 'gatehouse'),
    tenant: nullable(text(tenantText, '5a3e1f2d-7b64-4c8e-9d10-2f6b8a4c7e91')),
    teamId: nullable(text(teamIdText, 'A1B2C3D4E5')),
    privateKeyId: nullable(text(privateKeyIdText, 'F6G7H8I9J0')),
    emailTrust: openEnumeration(emailTrusts, trustText, 'claim'),
    groupsClaim: nullable(text(groupsClaimText, 'groups')),
    groupMap,
    enabled: flag('Whether the login page offers it.', true),
    redirectUri: nullable(
      text(
        'The redirect URI to enter at the provider, which ends in its issuer without the scheme; null while the site has no domain.',
        'https://members.example.org/_gatehouse/login/callback/id.example.org',
      ),
    ),
    memberCount: count('The members who have linked an account there.', 24),
    createdAt: dateTime('When it was created.'),
    updatedAt: dateTime('When it was last changed.'),
  },
);
export type LoginProvider = Static<typeof LoginProvider>;

const secret = text(secretText, 'a-secret-of-the-provider', {
  minLength: 1,
  maxLength: maxRawSecretLength,
  pattern: noNull,
});
const trust = enumeration(emailTrusts, `${trustText} Defaults to \`claim\`.`, 'claim');
const changing = {
  emailTrust: trust,
  groupsClaim: nullable(text(groupsClaimText, 'groups', { minLength: 1, maxLength: 100 })),
  groupMap,
  enabled: flag('Whether the login page offers it. Defaults to `false`.', false),
};
const appleSettings = {
  teamId: rawText(teamIdText, 'A1B2C3D4E5'),
  privateKeyId: rawText(privateKeyIdText, 'F6G7H8I9J0'),
};

export const CreateLoginProvider = request(
  'CreateLoginProvider',
  {
    type: enumeration(loginProviderTypes, typeText, 'oidc'),
    name: rawText(nameText, 'Club account'),
    clientId: rawText(clientIdText, 'gatehouse'),
    secret,
    ...optional({
      issuer: rawText(`${issuerText} Only for \`oidc\`, which needs it.`, 'https://id.example.org'),
      tenant: uuid(`${tenantText} \`microsoft\` needs it.`, '5a3e1f2d-7b64-4c8e-9d10-2f6b8a4c7e91'),
      ...appleSettings,
      ...changing,
    }),
  },
  {
    examples: [
      {
        type: 'oidc',
        name: 'Club account',
        issuer: 'https://id.example.org',
        clientId: 'gatehouse',
        secret: 'a-secret-of-the-provider',
      },
    ],
  },
);
export type CreateLoginProvider = Static<typeof CreateLoginProvider>;

export const UpdateLoginProvider = changes(
  'UpdateLoginProvider',
  {
    name: rawText(nameText, 'Club account'),
    clientId: rawText(clientIdText, 'gatehouse'),
    secret,
    ...appleSettings,
    ...changing,
  },
  { examples: [{ name: 'Club account' }] },
);
export type UpdateLoginProvider = Static<typeof UpdateLoginProvider>;

export const LoginProviderTest = shape('LoginProviderTest', 'What a test of the settings has found.', {
  ok: flag('Whether nothing is wrong, as far as the provider says it without a login.', true),
  issuer: nullable(
    text(
      'How the metadata of the provider names it, which may be another issuer, such as one with a slash at its end; null if ' +
        'they cannot be read, or the type has a known issuer.',
      'https://id.example.org',
    ),
  ),
  checks: Type.Array(
    shape('LoginProviderCheck', 'One part of the settings.', {
      check: openEnumeration(providerChecks, 'The part that was checked.', 'issuer'),
      status: openEnumeration(
        ['ok', 'failed', 'unknown'] as const,
        '`unknown`: the provider does not say it.',
        'ok',
      ),
      message: text('What was found and what to do, for people.', 'The clocks agree.'),
    }),
    { description: 'The parts that could be checked.' },
  ),
});
export type LoginProviderTest = Static<typeof LoginProviderTest>;

const loginProviders = new Resource({
  tag: 'Login providers',
  name: 'login provider',
  read: 'site:read',
  write: 'login-providers:write',
});

/** A login provider says which member logs in, as a login link does. */
const furtherPermissions = [{ permission: 'login-links:write' }] as const;

export const loginProviderOperations = named({
  listLoginProviders: loginProviders.listAll({
    path: '/login-providers',
    summary: 'List login providers',
    description: 'The login providers of the site, in the order of the login page: oldest first.',
    returns: LoginProvider,
  }),
  createLoginProvider: loginProviders.create({
    path: '/login-providers',
    summary: 'Create a login provider',
    description: `Creates a provider, which is not offered until it is enabled. A site may have ${maxLoginProviders} of them.`,
    furtherPermissions,
    recentLogin: true,
    body: CreateLoginProvider,
    returns: LoginProvider,
    errors: [
      'login_provider_issuer_taken',
      'too_many_login_providers',
      'access_group_not_found',
      'scope_group_read_only',
    ],
  }),
  getLoginProvider: loginProviders.get({
    path: '/login-providers/{providerId}',
    summary: 'Get a login provider',
    description: 'One login provider, without its secret.',
    returns: LoginProvider,
  }),
  updateLoginProvider: loginProviders.update({
    path: '/login-providers/{providerId}',
    summary: 'Update a login provider',
    description: 'Changes the given fields, at least one. Type, issuer and tenant stay the same.',
    furtherPermissions,
    recentLogin: true,
    body: UpdateLoginProvider,
    returns: LoginProvider,
    errors: ['access_group_not_found', 'scope_group_read_only'],
  }),
  testLoginProvider: loginProviders.lookUp({
    path: '/login-providers/{providerId}/test',
    summary: 'Test a login provider',
    description:
      'Asks the servers of the provider, without a login, whether the issuer, the secret and the redirect URI are right, ' +
      'and whether the clocks agree. Changes nothing.',
    permission: 'login-providers:write',
    furtherPermissions,
    maxPerMinute: 10,
    returns: single(LoginProviderTest),
    success: 'What was found.',
    errors: ['site_domain_missing'],
  }),
  deleteLoginProvider: loginProviders.delete({
    path: '/login-providers/{providerId}',
    summary: 'Delete a login provider',
    description:
      'Permanent. Nobody can log in with an account there any more; members and their sessions stay.',
    furtherPermissions,
    recentLogin: true,
  }),
});
