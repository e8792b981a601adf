import type { Static } from 'typebox';
import {
  maxGroupDescriptionLength,
  maxNameLength,
  maxQueryLength,
  maxSessionLimit,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nullable,
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

const groups = new Resource({
  tag: 'Access groups',
  name: 'access group',
  read: 'access-groups:read',
  write: 'access-groups:write',
});

export const accessGroupOperations = named({
  listAccessGroups: groups.list({
    path: '/access-groups',
    summary: 'List access groups',
    description: 'The access groups of the site, newest first. An access group must match all given filters.',
    query: {
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
    returns: AccessGroup,
  }),
  createAccessGroup: groups.create({
    path: '/access-groups',
    summary: 'Create a custom access group',
    description: 'Creates an access group without members.',
    body: CreateAccessGroup,
    returns: AccessGroup,
    errors: ['access_group_name_taken'],
  }),
  getAccessGroup: groups.get({
    path: '/access-groups/{groupId}',
    summary: 'Get an access group',
    description: 'One access group, with its member count.',
    returns: AccessGroup,
  }),
  updateAccessGroup: groups.update({
    path: '/access-groups/{groupId}',
    summary: 'Update a custom access group',
    description: 'Changes the given fields, at least one. Scope groups are rejected.',
    body: UpdateAccessGroup,
    returns: AccessGroup,
    errors: ['scope_group_read_only', 'access_group_name_taken'],
  }),
  deleteAccessGroup: groups.delete({
    path: '/access-groups/{groupId}',
    summary: 'Delete a custom access group',
    description:
      'Permanent. All memberships of the group are deleted; the members remain. Scope groups are rejected.',
    errors: ['scope_group_read_only'],
  }),
});
