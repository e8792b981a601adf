import type { Static } from 'typebox';
import {
  maxGroupDescriptionLength,
  maxNameLength,
  maxQueryLength,
  maxSessionLimit,
} from '../shared/limits.ts';
import type { Operation } from '../shared/operation.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  groupIdParameter,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nothing,
  nullable,
  page,
  pageParameters,
  single,
  uuid,
} from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';

export const accessGroupTypes = ['custom', 'scope'] as const;
export type AccessGroupType = (typeof accessGroupTypes)[number];

export const AccessGroup = Type.Object(
  {
    id: uuid('The access group.', exampleIds.group),
    name: Type.String({
      minLength: 1,
      maxLength: maxNameLength,
      description: 'Display name, unique on the site.',
      examples: ['Course 2026'],
    }),
    description: nullable(
      Type.String({
        maxLength: maxGroupDescriptionLength,
        description: 'What the group is for; null when not set.',
        examples: ['Everyone who booked the course.'],
      }),
    ),
    type: enumeration(accessGroupTypes, {
      description:
        '`custom`: created by an operator or a program; can be changed and deleted. `scope`: created automatically ' +
        'from a collection of an external workspace; read-only in the API.',
    }),
    sourceId: nullable(uuid('The source of a scope group; null for a custom group.', exampleIds.source)),
    maxSessions: nullable(
      Type.Integer({
        minimum: 1,
        maximum: maxSessionLimit,
        description:
          'How many sessions each member of the group may have at the same time, instead of the limit of the site; null ' +
          'for the limit of the site. Of several groups the highest limit applies.',
        examples: [3],
      }),
    ),
    memberCount: Type.Integer({
      minimum: 0,
      description: 'The number of current memberships.',
      examples: [42],
    }),
    createdAt: nullable(dateTime('When the group was created.')),
    updatedAt: nullable(dateTime('When the group was last changed.')),
  },
  { title: 'AccessGroup', description: 'A named set of members.' },
);
export type AccessGroup = Static<typeof AccessGroup>;

// The cap is higher than the limit, because the limit applies after trimming and normalizing.
const submittedName = Type.String({
  minLength: 1,
  maxLength: maxRawValueLength,
  pattern: noNull,
  description:
    'Display name, 1 to 100 characters after trimming and Unicode normalization (NFC), unique on the site ' +
    '(case-sensitive).',
  examples: ['Course 2026'],
});
const submittedDescription = nullable(
  Type.String({
    maxLength: maxGroupDescriptionLength,
    pattern: noNull,
    description: 'What the group is for, at most 500 characters; null removes it.',
    examples: ['Everyone who booked the course.'],
  }),
);

const submittedMaxSessions = nullable(
  Type.Integer({
    minimum: 1,
    maximum: maxSessionLimit,
    description:
      'How many sessions each member of the group may have at the same time, from the next login on; null for the limit ' +
      'of the site.',
    examples: [3],
  }),
);

export const CreateAccessGroup = Type.Object(
  {
    name: submittedName,
    description: Type.Optional(submittedDescription),
    maxSessions: Type.Optional(submittedMaxSessions),
  },
  { title: 'CreateAccessGroup', additionalProperties: false },
);
export type CreateAccessGroup = Static<typeof CreateAccessGroup>;

export const UpdateAccessGroup = Type.Object(
  {
    name: Type.Optional(submittedName),
    description: Type.Optional(submittedDescription),
    maxSessions: Type.Optional(submittedMaxSessions),
  },
  {
    title: 'UpdateAccessGroup',
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    additionalProperties: false,
    minProperties: 1,
  },
);
export type UpdateAccessGroup = Static<typeof UpdateAccessGroup>;

const groupParams = Type.Object({ groupId: groupIdParameter }, { additionalProperties: false });

export const listAccessGroups = {
  id: 'listAccessGroups',
  method: 'GET',
  path: '/access-groups',
  tag: 'Access groups',
  summary: 'List access groups',
  description: 'The access groups of the site, newest first. An access group must match all given filters.',
  permission: 'access-groups:read',
  params: nothing,
  query: Type.Object(
    {
      ...pageParameters,
      type: Type.Optional(enumeration(accessGroupTypes, { description: 'Groups of this type.' })),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: maxQueryLength,
          pattern: noControlCharacters,
          description: 'Part of the name, case-insensitive. `%`, `_` and `\\` are literal characters.',
          examples: ['course'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: null,
  success: {
    status: 200,
    description: 'A page of access groups.',
    body: page(AccessGroup),
    headers: ['Link'],
  },
  errors: [],
} as const satisfies Operation;

export const createAccessGroup = {
  id: 'createAccessGroup',
  method: 'POST',
  path: '/access-groups',
  tag: 'Access groups',
  summary: 'Create a custom access group',
  description: 'Creates an access group without members.',
  permission: 'access-groups:write',
  params: nothing,
  query: nothing,
  body: CreateAccessGroup,
  success: {
    status: 201,
    description: 'The new access group.',
    body: single(AccessGroup),
    headers: ['Location', 'ETag'],
  },
  errors: ['access_group_name_taken'],
} as const satisfies Operation;

export const getAccessGroup = {
  id: 'getAccessGroup',
  method: 'GET',
  path: '/access-groups/{groupId}',
  tag: 'Access groups',
  summary: 'Get an access group',
  description: 'One access group, with its member count.',
  permission: 'access-groups:read',
  params: groupParams,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The access group.', body: single(AccessGroup), headers: ['ETag'] },
  errors: ['access_group_not_found'],
} as const satisfies Operation;

export const updateAccessGroup = {
  id: 'updateAccessGroup',
  method: 'PATCH',
  path: '/access-groups/{groupId}',
  tag: 'Access groups',
  summary: 'Update a custom access group',
  description: 'Changes the given fields, at least one. Scope groups are rejected.',
  permission: 'access-groups:write',
  params: groupParams,
  query: nothing,
  body: UpdateAccessGroup,
  success: {
    status: 200,
    description: 'The access group after the change.',
    body: single(AccessGroup),
    headers: ['ETag'],
  },
  errors: ['scope_group_read_only', 'access_group_not_found', 'access_group_name_taken'],
} as const satisfies Operation;

export const deleteAccessGroup = {
  id: 'deleteAccessGroup',
  method: 'DELETE',
  path: '/access-groups/{groupId}',
  tag: 'Access groups',
  summary: 'Delete a custom access group',
  description:
    'Permanent. All memberships of the group are deleted; the members remain. Scope groups are rejected.',
  permission: 'access-groups:write',
  params: groupParams,
  query: nothing,
  body: null,
  success: { status: 204, description: 'The access group is deleted.', body: null, headers: [] },
  errors: ['scope_group_read_only', 'access_group_not_found'],
} as const satisfies Operation;
