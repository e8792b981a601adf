import { type Static, Type } from 'typebox';
import { maxRulePathLength } from '../access-rules/rule-limits.ts';
import { maxAccessTokens } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  dateTime,
  exampleIds,
  nullable,
  request,
  shape,
  submittedCredentialName,
  text,
  uuid,
} from '../shared/schemas.ts';

export const AccessToken = shape(
  'AccessToken',
  'A credential with which a program of a member, such as a feed reader, has the access of the member. The token ' +
    'itself is returned only once, when it is created.',
  {
    id: uuid('The access token.', exampleIds.accessToken),
    memberId: uuid('The member whose access it grants.', exampleIds.member),
    name: text('What the token is for.', 'Podcast app'),
    pathPrefix: text('The token works for this path and everything below it.', '/podcast'),
    createdAt: dateTime('When the token was created.'),
    expiresAt: nullable(dateTime('When the token expires; null if it does not.', '2031-01-31T09:30:00.000Z')),
    lastUsedAt: nullable(
      dateTime(
        'When the token was last used, to the hour; null if it never was.',
        '2026-02-14T18:05:12.345Z',
      ),
    ),
  },
);
export type AccessToken = Static<typeof AccessToken>;

export const CreatedAccessToken = shape('CreatedAccessToken', 'A new access token with its secret.', {
  ...AccessToken.properties,
  secret: text(
    'The token itself. It is returned only this once: only a hash of it is stored.',
    'gmt_8vJ0mB0y2nTjXo5zq7bYw3ZkQ1cR9sLdE4fGhIjKlMn',
  ),
});
export type CreatedAccessToken = Static<typeof CreatedAccessToken>;

export const CreateAccessToken = request('CreateAccessToken', {
  name: submittedCredentialName('token', 'Podcast app'),
  pathPrefix: Type.Optional(
    text(
      'The path for which the token works, with everything below it; written like the path of an access rule, ' +
        'without `*`. Defaults to `/`, the whole site.',
      '/podcast',
      { minLength: 1, maxLength: maxRulePathLength, pattern: '^/' },
    ),
  ),
  expiresAt: Type.Optional(
    nullable(
      dateTime(
        'When the token expires, a time in the future; null for never. Defaults to the expiry of the API key that ' +
          'creates it, which it cannot exceed, or to never.',
        '2031-01-31T09:30:00.000Z',
      ),
    ),
  ),
});
export type CreateAccessToken = Static<typeof CreateAccessToken>;

const tokens = new Resource({
  tag: 'Sessions',
  name: 'access token',
  read: 'members:read',
  write: 'login-links:write',
});

export const accessTokenOperations = named({
  listAccessTokens: tokens.list({
    path: '/members/{memberId}/access-tokens',
    summary: 'List the access tokens of a member',
    description: 'The access tokens that have not expired, newest first.',
    returns: AccessToken,
  }),
  createAccessToken: tokens.create({
    path: '/members/{memberId}/access-tokens',
    summary: 'Create an access token for a member',
    description:
      'The token lets a program have the access of the member, as long as the member has it. Anyone who has the token ' +
      `has that access. A member can have ${maxAccessTokens} access tokens that have not expired.`,
    body: CreateAccessToken,
    returns: CreatedAccessToken,
    success: 'The access token with its secret.',
    headers: [],
    errors: ['member_blocked', 'too_many_access_tokens'],
  }),
  deleteAccessToken: tokens.delete({
    path: '/members/{memberId}/access-tokens/{tokenId}',
    summary: 'Delete an access token of a member',
    description: 'Programs that use the token lose their access at the next request.',
    permission: 'members:block',
    unconditional: true,
    success: 'The token no longer works.',
  }),
});
