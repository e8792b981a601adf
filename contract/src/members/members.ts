import { type Static, Type } from 'typebox';
import { maxQueryLength } from '../shared/limits.ts';
import { named } from '../shared/resource.ts';
import {
  changes,
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  maxRawValueLength,
  noControlCharacters,
  request,
  text,
  uuid,
} from '../shared/schemas.ts';
import {
  accessGroupIds,
  changedMemberValues,
  Member,
  MemberWithGroups,
  newMemberValues,
  searchedTexts,
} from './member.ts';
import { memberSortFields, memberStatuses } from './member-fields.ts';
import { members } from './member-resource.ts';

export const CreateMember = request(
  'CreateMember',
  {
    ...newMemberValues,
    accessGroupIds: Type.Optional(accessGroupIds('the member is')),
  },
  {
    // Not one of the sample site, so that the first call of a reader succeeds.
    examples: [{ email: 'katherine@example.com', displayName: 'Katherine Johnson', paid: true }],
  },
);
export type CreateMember = Static<typeof CreateMember>;

export const UpdateMember = changes(
  'UpdateMember',
  {
    ...changedMemberValues,
    status: enumeration(
      memberStatuses,
      'The status of the member. `blocked` denies access and ends every session; `active` restores access.',
    ),
  },
  { examples: [{ displayName: 'Ada King', paid: true }] },
);
export type UpdateMember = Static<typeof UpdateMember>;

export const memberOperations = named({
  listMembers: members.list({
    path: '/members',
    summary: 'List and search members',
    description:
      'A member must match all given filters. The list does not include access groups; get a single member for ' +
      'those. Members without a value in the sort field come last in both directions; members with equal values ' +
      'are sorted by id. On a large site, a page of a search can have few or no members although `hasMore` is ' +
      'true: continue with `nextCursor`.',
    query: {
      email: text('Exactly this email address, normalized as on creation.', 'ada@example.com', {
        format: 'email',
        minLength: 1,
        maxLength: maxRawValueLength,
      }),
      q: text(
        `Part of ${searchedTexts}, case-insensitive (\`É\` finds \`é\`). ` +
          '`%`, `_` and `\\` are literal characters.',
        'love',
        { minLength: 1, maxLength: maxQueryLength, pattern: noControlCharacters },
      ),
      status: enumeration(memberStatuses, 'Members with this status.'),
      paid: enumeration(
        ['true', 'false'],
        'Whether the members are paying. `true`: paying members. `false`: members who do not pay.',
      ),
      verified: enumeration(['true', 'false'], 'Whether the email address of the member is verified.'),
      createdByRequest: uuid(
        'Members that requests with this ID (`X-Request-Id`) created, such as all requests of one import. It finds them ' +
          'for as long as they exist, also when their events have been purged. Members who signed up or came from a ' +
          'source were created by no request of a program or an operator.',
        exampleIds.request,
      ),
      groupId: uuid(
        'Members with a current membership of this access group. No members if there is no such group.',
        exampleIds.group,
      ),
      expiresBefore: dateTime(
        'Members with a current membership that expires before this time: a membership of the group in `groupId`, or of any ' +
          'group without it.',
        '2030-12-31T23:00:00.000Z',
      ),
      sort: defaulted(enumeration(memberSortFields, 'The field to sort by.'), 'createdAt'),
      order: defaulted(enumeration(['asc', 'desc'], 'The sort direction; `desc` is newest first.'), 'desc'),
    },
    returns: Member,
  }),
  createMember: members.create({
    path: '/members',
    summary: 'Create a member',
    description:
      'The new member is `active`, not verified, and belongs to the given groups. If the email address is taken or one of the ' +
      'groups cannot be used, nothing is created.',
    furtherPermissions: [{ permission: 'access-groups:write', path: '/accessGroupIds' }],
    body: CreateMember,
    returns: MemberWithGroups,
    errors: ['scope_group_read_only', 'access_group_not_found', 'email_taken'],
  }),
  getMember: members.get({
    path: '/members/{memberId}',
    summary: 'Get a member',
    description: 'One member with their access groups.',
    returns: MemberWithGroups,
  }),
  updateMember: members.update({
    path: '/members/{memberId}',
    summary: 'Update a member',
    description: 'Changes the given fields, at least one. Other fields keep their value.',
    body: UpdateMember,
    returns: MemberWithGroups,
    errors: ['email_taken'],
  }),
  blockMember: members.act({
    path: '/members/{memberId}/block',
    summary: 'Block a member',
    description:
      'Denies access immediately: sessions end, and unused login links stop working. Blocking a member who is already ' +
      'blocked changes nothing.',
    permission: 'members:block',
    returns: MemberWithGroups,
    success: 'The blocked member.',
    headers: ['ETag'],
  }),
  unblockMember: members.act({
    path: '/members/{memberId}/unblock',
    summary: 'Unblock a member',
    description:
      'Restores access; the member has to log in again. Unblocking a member who is not blocked changes nothing.',
    permission: 'members:block',
    returns: MemberWithGroups,
    success: 'The active member.',
    headers: ['ETag'],
  }),
  deleteMember: members.delete({
    path: '/members/{memberId}',
    summary: 'Delete a member',
    description:
      'Permanent. The memberships and sessions of the member end, and the personal data is erased, also from past ' +
      'events.',
  }),
});
