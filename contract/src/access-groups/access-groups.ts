import { type Static, Type } from 'typebox';
import {
  maxGroupDescriptionLength,
  maxNameLength,
  maxQueryLength,
  maxSessionLimit,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  count,
  dateTime,
  enumeration,
  exampleIds,
  integer,
  noControlCharacters,
  noNull,
  nullable,
  rawText,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';

export const accessGroupTypes = ['custom', 'scope'] as const;
export type AccessGroupType = (typeof accessGroupTypes)[number];

export const AccessGroup = shape('AccessGroup', 'A named set of members.', {
  id: uuid('The access group.', exampleIds.group),
  name: text('Display name, unique on the site.', 'Course 2026', { minLength: 1, maxLength: maxNameLength }),
  description: nullable(
    text('What the group is for; null when not set.', 'Everyone who booked the course.', {
      maxLength: maxGroupDescriptionLength,
    }),
  ),
  type: enumeration(
    accessGroupTypes,
    '`custom`: created by an operator or a program; can be changed and deleted. `scope`: created automatically ' +
      'from a collection of an external workspace; read-only in the API.',
  ),
  sourceId: nullable(uuid('The source of a scope group; null for a custom group.', exampleIds.source)),
  maxSessions: nullable(
    integer(
      'How many sessions each member of the group may have at the same time, instead of the limit of the site; null ' +
        'for the limit of the site. Of several groups the highest limit applies.',
      3,
      { minimum: 1, maximum: maxSessionLimit },
    ),
  ),
  memberCount: count('The number of current memberships.', 42),
  createdAt: nullable(dateTime('When the group was created.')),
  updatedAt: nullable(dateTime('When the group was last changed.')),
});
export type AccessGroup = Static<typeof AccessGroup>;

// The cap is higher than the limit, because the limit applies after trimming and normalizing.
const submittedName = rawText(
  'Display name, 1 to 100 characters after trimming and Unicode normalization (NFC), unique on the site ' +
    '(case-sensitive).',
  'Course 2026',
);
const submittedDescription = nullable(
  text('What the group is for, at most 500 characters; null removes it.', 'Everyone who booked the course.', {
    maxLength: maxGroupDescriptionLength,
    pattern: noNull,
  }),
);

const submittedMaxSessions = nullable(
  integer(
    'How many sessions each member of the group may have at the same time, from the next login on; null for the limit ' +
      'of the site.',
    3,
    { minimum: 1, maximum: maxSessionLimit },
  ),
);

export const CreateAccessGroup = request('CreateAccessGroup', {
  name: submittedName,
  description: Type.Optional(submittedDescription),
  maxSessions: Type.Optional(submittedMaxSessions),
});
export type CreateAccessGroup = Static<typeof CreateAccessGroup>;

export const UpdateAccessGroup = changes('UpdateAccessGroup', {
  name: submittedName,
  description: submittedDescription,
  maxSessions: submittedMaxSessions,
});
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
      type: enumeration(accessGroupTypes, 'Groups of this type.'),
      q: text('Part of the name, case-insensitive. `%`, `_` and `\\` are literal characters.', 'course', {
        minLength: 1,
        maxLength: maxQueryLength,
        pattern: noControlCharacters,
      }),
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
