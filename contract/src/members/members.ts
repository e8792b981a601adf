import type { Static } from 'typebox';
import { maxQueryLength } from '../shared/limits.ts';
import type { Operation } from '../shared/operation.ts';
import {
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  maxRawValueLength,
  memberParams,
  noControlCharacters,
  nothing,
  nullable,
  page,
  pageParameters,
  single,
  uuid,
} from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import {
  accessGroupIds,
  Member,
  MemberWithGroups,
  registeredAtRules,
  submittedDisplayName,
  submittedEmail,
  submittedPaid,
} from './member.ts';
import { memberSortFields, memberStatuses } from './member-fields.ts';

export const CreateMember = Type.Object(
  {
    email: submittedEmail,
    displayName: Type.Optional(submittedDisplayName),
    paid: Type.Optional(submittedPaid),
    registeredAt: Type.Optional(nullable(dateTime(registeredAtRules))),
    accessGroupIds: Type.Optional(accessGroupIds('the member is')),
  },
  {
    title: 'CreateMember',
    additionalProperties: false,
    // Not one of the sample site, so that the first call of a reader succeeds.
    examples: [{ email: 'katherine@example.com', displayName: 'Katherine Johnson', paid: true }],
  },
);
export type CreateMember = Static<typeof CreateMember>;

export const UpdateMember = Type.Object(
  {
    email: Type.Optional(submittedEmail),
    displayName: Type.Optional(submittedDisplayName),
    paid: Type.Optional(Type.Boolean({ description: 'Whether the member is a paying customer.' })),
    status: Type.Optional(
      enumeration(memberStatuses, {
        description: '`blocked` denies access and ends every session; `active` restores access.',
      }),
    ),
  },
  {
    title: 'UpdateMember',
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ displayName: 'Ada King', paid: true }],
  },
);
export type UpdateMember = Static<typeof UpdateMember>;

export const listMembers = {
  id: 'listMembers',
  method: 'GET',
  path: '/members',
  tag: 'Members',
  summary: 'List and search members',
  description:
    'A member must match all given filters. The list does not include access groups; get a single member for those. ' +
    'Members without a value in the sort field come last in both directions; members with equal values are sorted by ' +
    'id. A search in a site with many thousand members can end a page early, with few or no members, `hasMore` true ' +
    'and the `nextCursor` to go on with.',
  permission: 'members:read',
  params: nothing,
  query: Type.Object(
    {
      ...pageParameters,
      email: Type.Optional(
        Type.String({
          format: 'email',
          minLength: 1,
          maxLength: maxRawValueLength,
          description: 'Exactly this email address, normalized as on creation.',
          examples: ['ada@example.com'],
        }),
      ),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: maxQueryLength,
          pattern: noControlCharacters,
          description:
            'Part of the email address or the display name, case-insensitive (`É` finds `é`). `%`, `_` and `\\` are ' +
            'literal characters.',
          examples: ['love'],
        }),
      ),
      status: Type.Optional(enumeration(memberStatuses, { description: 'Members with this status.' })),
      paid: Type.Optional(
        enumeration(['true', 'false'], {
          description: '`true`: paying members. `false`: members who do not pay.',
        }),
      ),
      verified: Type.Optional(
        enumeration(['true', 'false'], {
          description: 'Whether the email address of the member is verified.',
        }),
      ),
      createdByRequest: Type.Optional(
        uuid(
          'Members that requests with this ID (`X-Request-Id`) created, such as all requests of one import. It finds them ' +
            'for as long as they exist, also when their events have been purged. Members who signed up or came from a ' +
            'source were created by no request of a program or an operator.',
          exampleIds.request,
        ),
      ),
      sort: defaulted(
        enumeration(memberSortFields, { default: 'createdAt', description: 'The field to sort by.' }),
      ),
      order: defaulted(
        enumeration(['asc', 'desc'], {
          default: 'desc',
          description: 'The sort direction; `desc` is newest first.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: null,
  success: { status: 200, description: 'A page of members.', body: page(Member), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;

export const createMember = {
  id: 'createMember',
  method: 'POST',
  path: '/members',
  tag: 'Members',
  summary: 'Create a member',
  description:
    'The new member is `active`, not verified, and belongs to the given groups. If the email address is taken or one of the ' +
    'groups cannot be used, nothing is created.',
  permission: 'members:write',
  furtherPermissions: [{ permission: 'access-groups:write', path: '/accessGroupIds' }],
  params: nothing,
  query: nothing,
  body: CreateMember,
  success: {
    status: 201,
    description: 'The new member.',
    body: single(MemberWithGroups),
    headers: ['Location', 'ETag'],
  },
  errors: ['scope_group_read_only', 'access_group_not_found', 'email_taken'],
} as const satisfies Operation;

export const getMember = {
  id: 'getMember',
  method: 'GET',
  path: '/members/{memberId}',
  tag: 'Members',
  summary: 'Get a member',
  description: 'One member with their access groups.',
  permission: 'members:read',
  params: memberParams,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The member.', body: single(MemberWithGroups), headers: ['ETag'] },
  errors: ['member_not_found'],
} as const satisfies Operation;

export const updateMember = {
  id: 'updateMember',
  method: 'PATCH',
  path: '/members/{memberId}',
  tag: 'Members',
  summary: 'Update a member',
  description: 'Changes the given fields, at least one. Other fields keep their value.',
  permission: 'members:write',
  params: memberParams,
  query: nothing,
  body: UpdateMember,
  success: {
    status: 200,
    description: 'The member after the change.',
    body: single(MemberWithGroups),
    headers: ['ETag'],
  },
  errors: ['member_not_found', 'email_taken'],
} as const satisfies Operation;

export const blockMember = {
  id: 'blockMember',
  method: 'POST',
  path: '/members/{memberId}/block',
  tag: 'Members',
  summary: 'Block a member',
  description:
    'Denies access immediately: sessions end, and unused login links stop working. Blocking a member who is already ' +
    'blocked changes nothing.',
  permission: 'members:block',
  params: memberParams,
  query: nothing,
  body: null,
  success: {
    status: 200,
    description: 'The blocked member.',
    body: single(MemberWithGroups),
    headers: ['ETag'],
  },
  errors: ['member_not_found'],
} as const satisfies Operation;

export const unblockMember = {
  id: 'unblockMember',
  method: 'POST',
  path: '/members/{memberId}/unblock',
  tag: 'Members',
  summary: 'Unblock a member',
  description:
    'Restores access; the member has to log in again. Unblocking a member who is not blocked changes nothing.',
  permission: 'members:block',
  params: memberParams,
  query: nothing,
  body: null,
  success: {
    status: 200,
    description: 'The active member.',
    body: single(MemberWithGroups),
    headers: ['ETag'],
  },
  errors: ['member_not_found'],
} as const satisfies Operation;

export const deleteMember = {
  id: 'deleteMember',
  method: 'DELETE',
  path: '/members/{memberId}',
  tag: 'Members',
  summary: 'Delete a member',
  description:
    'Permanent. The memberships and sessions of the member end, and the personal data is erased, also from past ' +
    'events.',
  permission: 'members:write',
  params: memberParams,
  query: nothing,
  body: null,
  success: { status: 204, description: 'The member is deleted.', body: null, headers: [] },
  errors: ['member_not_found'],
} as const satisfies Operation;
