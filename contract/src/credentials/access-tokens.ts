import type { Static } from 'typebox';
import { maxRulePathLength } from '../access-rules/rule-limits.ts';
import { maxAccessTokens } from '../shared/limits.ts';
import type { Operation } from '../shared/operation.ts';
import {
  dateTime,
  exampleIds,
  memberIdParameter,
  memberParams,
  nothing,
  nullable,
  page,
  pageParameters,
  single,
  submittedCredentialName,
  uuid,
} from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';

export const AccessToken = Type.Object(
  {
    id: uuid('The access token.', exampleIds.accessToken),
    memberId: uuid('The member whose access it grants.', exampleIds.member),
    name: Type.String({ description: 'What the token is for.', examples: ['Podcast app'] }),
    pathPrefix: Type.String({
      description: 'The token works for this path and everything below it.',
      examples: ['/podcast'],
    }),
    createdAt: dateTime('When the token was created.'),
    expiresAt: nullable(dateTime('When the token expires; null if it does not.', '2031-01-31T09:30:00.000Z')),
    lastUsedAt: nullable(
      dateTime(
        'When the token was last used, to the hour; null if it never was.',
        '2026-02-14T18:05:12.345Z',
      ),
    ),
  },
  {
    title: 'AccessToken',
    description:
      'A credential with which a program of a member, such as a feed reader, has the access of the member. The token ' +
      'itself is returned only once, when it is created.',
  },
);
export type AccessToken = Static<typeof AccessToken>;

export const CreatedAccessToken = Type.Object(
  {
    ...AccessToken.properties,
    secret: Type.String({
      description: 'The token itself. It is returned only this once: only a hash of it is stored.',
      examples: ['gmt_8vJ0mB0y2nTjXo5zq7bYw3ZkQ1cR9sLdE4fGhIjKlMn'],
    }),
  },
  { title: 'CreatedAccessToken', description: 'A new access token with its secret.' },
);
export type CreatedAccessToken = Static<typeof CreatedAccessToken>;

export const CreateAccessToken = Type.Object(
  {
    name: submittedCredentialName('token', 'Podcast app'),
    pathPrefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxRulePathLength,
        pattern: '^/',
        description:
          'The path for which the token works, with everything below it; written like the path of an access rule, ' +
          'without `*`. Defaults to `/`, the whole site.',
        examples: ['/podcast'],
      }),
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
  },
  { title: 'CreateAccessToken', additionalProperties: false },
);
export type CreateAccessToken = Static<typeof CreateAccessToken>;

export const listAccessTokens = {
  id: 'listAccessTokens',
  method: 'GET',
  path: '/members/{memberId}/access-tokens',
  tag: 'Sessions',
  summary: 'List the access tokens of a member',
  description: 'The access tokens that have not expired, newest first.',
  permission: 'members:read',
  params: memberParams,
  query: Type.Object(pageParameters, { additionalProperties: false }),
  body: null,
  success: {
    status: 200,
    description: 'A page of access tokens.',
    body: page(AccessToken),
    headers: ['Link'],
  },
  errors: ['member_not_found'],
} as const satisfies Operation;

export const createAccessToken = {
  id: 'createAccessToken',
  method: 'POST',
  path: '/members/{memberId}/access-tokens',
  tag: 'Sessions',
  summary: 'Create an access token for a member',
  description:
    'The token lets a program have the access of the member, as long as the member has it. Anyone who has the token ' +
    `has that access. A member can have ${maxAccessTokens} access tokens that have not expired.`,
  permission: 'login-links:write',
  params: memberParams,
  query: nothing,
  body: CreateAccessToken,
  success: {
    status: 201,
    description: 'The access token with its secret.',
    body: single(CreatedAccessToken),
    headers: [],
  },
  errors: ['member_not_found', 'member_blocked', 'too_many_access_tokens'],
} as const satisfies Operation;

export const deleteAccessToken = {
  id: 'deleteAccessToken',
  unconditional: true,
  method: 'DELETE',
  path: '/members/{memberId}/access-tokens/{tokenId}',
  tag: 'Sessions',
  summary: 'Delete an access token of a member',
  description: 'Programs that use the token lose their access at the next request.',
  permission: 'members:block',
  params: Type.Object(
    { memberId: memberIdParameter, tokenId: uuid('The id of the access token.', exampleIds.accessToken) },
    { additionalProperties: false },
  ),
  query: nothing,
  body: null,
  success: { status: 204, description: 'The token no longer works.', body: null, headers: [] },
  errors: ['member_not_found', 'access_token_not_found'],
} as const satisfies Operation;
