import { type Static, Type } from 'typebox';
import { errorHelp } from '../shared/error-codes.ts';
import { bulkActionErrorCodes } from '../shared/errors.ts';
import { named } from '../shared/resource.ts';
import {
  count,
  dateTime,
  enumeration,
  exampleIds,
  flag,
  integer,
  memberIdParameter,
  nullable,
  request,
  shape,
  uuid,
  variants,
} from '../shared/schemas.ts';
import { bulkItems, bulkResults, itemError } from './bulk-items.ts';
import { members } from './member-resource.ts';

export const bulkActionTypes = [
  'block',
  'unblock',
  'send_login_link',
  'set_paid',
  'delete',
  'add_to_group',
  'set_end_in_group',
  'remove_from_group',
] as const;

const customGroupId = uuid('A custom access group of the site.', exampleIds.group);

/** The action for each of the members. */
export const BulkAction = variants(
  'type',
  [
    request(
      'AddToGroup',
      {
        type: Type.Literal('add_to_group', { description: 'Adds the members to a group.' }),
        groupId: customGroupId,
        expiresAt: Type.Optional(
          nullable(
            dateTime(
              'When the memberships expire, a time in the future; null if they do not. It also applies to members who ' +
                'are already in the group. If left out, new memberships do not expire, and existing ones keep their ' +
                'end.',
              '2030-12-31T23:00:00.000Z',
            ),
          ),
        ),
      },
      { examples: [{ type: 'add_to_group', groupId: exampleIds.group }] },
    ),
    request('SetEndInGroup', {
      type: Type.Literal('set_end_in_group', {
        description:
          'Sets the end of the memberships in a group. Members who are not in the group stay out of it: for them there is ' +
          'nothing to do.',
      }),
      groupId: customGroupId,
      expiresAt: nullable(
        dateTime(
          'When the memberships expire, a time in the future; null if they do not.',
          '2030-12-31T23:00:00.000Z',
        ),
      ),
    }),
    request('RemoveFromGroup', {
      type: Type.Literal('remove_from_group', { description: 'Removes the members from a group.' }),
      groupId: customGroupId,
    }),
    request('SetPaid', {
      type: Type.Literal('set_paid', { description: 'Marks the members as paying or not paying.' }),
      paid: flag('Whether the members are paying customers.', true),
    }),
    request('PlainAction', {
      type: enumeration(
        ['block', 'unblock', 'send_login_link', 'delete'],
        'An action without further fields.',
      ),
    }),
  ],
  {
    title: 'BulkAction',
    description:
      'The action for each of the members. Each action needs the permission of the operation that does the same for ' +
      'one member: `block` and `unblock` need `members:block`, `send_login_link` needs `login-links:send`, `set_paid` ' +
      'and `delete` need `members:write`, `add_to_group`, `set_end_in_group` and `remove_from_group` need ' +
      '`access-groups:write`.',
  },
);
export type BulkAction = Static<typeof BulkAction>;

export const BulkMemberActions = request(
  'BulkMemberActions',
  {
    memberIds: bulkItems(memberIdParameter, 'The members, 1 to 500. Duplicates count once.'),
    action: BulkAction,
  },
  { examples: [{ memberIds: [exampleIds.member], action: { type: 'set_paid', paid: true } }] },
);
export type BulkMemberActions = Static<typeof BulkMemberActions>;

/** The result for one member. Narrow it by `status`. */
export const BulkActionResultItem = variants(
  'status',
  [
    shape('BulkActionDone', 'A member for whom the action succeeded.', {
      memberId: memberIdParameter,
      status: Type.Literal('done', { description: 'Success.' }),
      previousExpiresAt: Type.Optional(
        nullable(
          dateTime(
            'Present only if the member was already in the group and the action changed the end of the ' +
              'membership: the previous end; null for never.',
            '2030-06-30T22:00:00.000Z',
          ),
        ),
      ),
    }),
    shape('BulkActionUnchanged', 'A member for whom there was nothing to do.', {
      memberId: memberIdParameter,
      status: Type.Literal('unchanged', {
        description: 'There was nothing to do, for example because the member is already in the group.',
      }),
    }),
    shape('BulkActionFailed', 'A member for whom the action failed.', {
      memberId: memberIdParameter,
      status: Type.Literal('error', { description: 'The action failed.' }),
      error: itemError(bulkActionErrorCodes, 'Why the action failed.', 'member_not_found'),
    }),
  ],
  {
    title: 'BulkActionResultItem',
    description: 'The result for one member; `status` determines its schema.',
  },
);
export type BulkActionResultItem = Static<typeof BulkActionResultItem>;

export const BulkActionSummary = shape(
  'BulkActionSummary',
  'The result in numbers: `done`, `unchanged` and `failed` add up to `total`.',
  {
    total: integer('Members submitted.', 2, { minimum: 1 }),
    done: count('Members for whom the action succeeded.', 1),
    unchanged: count('Members for whom there was nothing to do.', 0),
    failed: count('Members with the status `error`.', 1),
  },
);
export type BulkActionSummary = Static<typeof BulkActionSummary>;

const exampleResults: BulkActionResultItem[] = [
  { memberId: exampleIds.member, status: 'done' },
  {
    memberId: exampleIds.otherMember,
    status: 'error',
    error: { code: 'member_not_found', message: errorHelp.member_not_found },
  },
];

export const bulkActionOperations = named({
  bulkMemberActions: members.bulk({
    path: '/members/bulk-actions',
    summary: 'Apply one action to up to 500 members',
    description:
      'The action succeeds or fails for each member individually, so check the results; they are in the order ' +
      'submitted. All changes are stored together: after a crash, either all or none of them exist. The action needs a ' +
      'permission of its own. If the group cannot be used, the whole request is rejected and nothing is changed.',
    permission: 'members:read',
    furtherPermissions: [
      { permission: 'members:block', path: '/action/type', values: ['block', 'unblock'] },
      { permission: 'login-links:send', path: '/action/type', values: ['send_login_link'] },
      { permission: 'members:write', path: '/action/type', values: ['set_paid', 'delete'] },
      {
        permission: 'access-groups:write',
        path: '/action/type',
        values: ['add_to_group', 'set_end_in_group', 'remove_from_group'],
      },
    ],
    body: BulkMemberActions,
    returns: bulkResults('member', BulkActionResultItem, BulkActionSummary, exampleResults),
    success: 'The result for each member.',
    errors: ['scope_group_read_only', 'access_group_not_found', 'site_domain_missing'],
  }),
});
