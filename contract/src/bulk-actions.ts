import Type, { type Static } from 'typebox';
import { errorHelp } from './error-help.ts';
import { bulkActionErrorCodes } from './errors.ts';
import type { Operation } from './operation.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  memberIdParameter,
  nothing,
  nullable,
  openEnumeration,
  uuid,
  variants,
} from './schemas.ts';

export const bulkActionTypes = [
  'block',
  'unblock',
  'send_login_link',
  'set_paid',
  'delete',
  'add_to_group',
  'remove_from_group',
] as const;
export type BulkActionType = (typeof bulkActionTypes)[number];

const customGroupId = uuid('A custom access group of the site.', exampleIds.group);

/** What to do to each of the members. */
export const BulkAction = variants(
  'type',
  [
    Type.Object(
      {
        type: Type.Literal('add_to_group', { description: 'Adds the members to a group.' }),
        groupId: customGroupId,
        expiresAt: Type.Optional(
          nullable(
            dateTime(
              'When the memberships end by themselves, in the future, or null if they do not. It holds for those who are ' +
                'in the group already too. Left out, new memberships have no end, and existing ones keep theirs.',
              '2030-12-31T23:00:00.000Z',
            ),
          ),
        ),
      },
      {
        title: 'AddToGroup',
        additionalProperties: false,
        examples: [{ type: 'add_to_group', groupId: exampleIds.group }],
      },
    ),
    Type.Object(
      {
        type: Type.Literal('remove_from_group', { description: 'Removes the members from a group.' }),
        groupId: customGroupId,
      },
      { title: 'RemoveFromGroup', additionalProperties: false },
    ),
    Type.Object(
      {
        type: Type.Literal('set_paid', { description: 'Marks the members as paying customers, or not.' }),
        paid: Type.Boolean({ description: 'Whether they are paying customers.', examples: [true] }),
      },
      { title: 'SetPaid', additionalProperties: false },
    ),
    Type.Object(
      {
        type: enumeration(['block', 'unblock', 'send_login_link', 'delete'], {
          description: 'An action that needs nothing else.',
        }),
      },
      { title: 'PlainAction', additionalProperties: false },
    ),
  ],
  {
    title: 'BulkAction',
    description:
      'What to do to each of the members. Each action needs the permission of the operation that does the same to one ' +
      'member: `block` and `unblock` need `members:block`, `send_login_link` needs `login-links:send`, `set_paid` and ' +
      '`delete` need `members:write`, `add_to_group` and `remove_from_group` need `access-groups:write`.',
  },
);
export type BulkAction = Static<typeof BulkAction>;

export const BulkMemberActions = Type.Object(
  {
    memberIds: Type.Array(memberIdParameter, {
      minItems: 1,
      maxItems: 500,
      description: 'The members, 1 to 500. An id given twice counts once.',
    }),
    action: BulkAction,
  },
  {
    title: 'BulkMemberActions',
    additionalProperties: false,
    examples: [{ memberIds: [exampleIds.member], action: { type: 'set_paid', paid: true } }],
  },
);
export type BulkMemberActions = Static<typeof BulkMemberActions>;

/** What became of one member. Narrow it by `status`. */
export const BulkActionResultItem = variants(
  'status',
  [
    Type.Object(
      {
        memberId: memberIdParameter,
        status: Type.Literal('done', { description: 'Success.' }),
        previousExpiresAt: Type.Optional(
          nullable(
            dateTime(
              'Present only for a member who was in the group already, and whose membership `add_to_group` gave another ' +
                'end: when it would have ended before; null for never.',
              '2030-06-30T22:00:00.000Z',
            ),
          ),
        ),
      },
      { title: 'BulkActionDone', description: 'A member to whom it was done.' },
    ),
    Type.Object(
      {
        memberId: memberIdParameter,
        status: Type.Literal('unchanged', {
          description: 'Nothing was left to do, such as for a member who is in the group already.',
        }),
      },
      { title: 'BulkActionUnchanged', description: 'A member for whom nothing was left to do.' },
    ),
    Type.Object(
      {
        memberId: memberIdParameter,
        status: Type.Literal('error', { description: 'Nothing was done.' }),
        error: Type.Object(
          {
            code: openEnumeration(bulkActionErrorCodes, {
              description: 'Why nothing was done.',
              examples: ['member_not_found'],
            }),
            message: Type.String({
              description: 'The same for people.',
              examples: [errorHelp.member_not_found],
            }),
          },
          { description: 'Why nothing was done.' },
        ),
      },
      { title: 'BulkActionFailed', description: 'A member to whom nothing was done.' },
    ),
  ],
  {
    title: 'BulkActionResultItem',
    description: 'What became of one member: `status` says which of the shapes it has.',
  },
);
export type BulkActionResultItem = Static<typeof BulkActionResultItem>;

export const BulkActionSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 1, description: 'Members named.', examples: [2] }),
    done: Type.Integer({ minimum: 0, description: 'Members to whom it was done.', examples: [1] }),
    unchanged: Type.Integer({ minimum: 0, description: 'Members with nothing left to do.', examples: [0] }),
    failed: Type.Integer({ minimum: 0, description: 'Members that ended as `error`.', examples: [1] }),
  },
  {
    title: 'BulkActionSummary',
    description: 'The result in numbers: `done`, `unchanged` and `failed` make up `total`.',
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

export const bulkMemberActions = {
  id: 'bulkMemberActions',
  method: 'POST',
  path: '/members/bulk-actions',
  tag: 'Members',
  summary: 'Do one thing to up to 500 members',
  description:
    'Each member succeeds or fails on its own, so check the results; they come in the order submitted. What is done is ' +
    'stored together: a crash leaves all or none of it. The action needs a permission of its own. A group that cannot be ' +
    'used refuses the request as a whole, and nothing is done.',
  permission: 'members:read',
  furtherPermissions: [
    { permission: 'members:block', path: '/action/type', values: ['block', 'unblock'] },
    { permission: 'login-links:send', path: '/action/type', values: ['send_login_link'] },
    { permission: 'members:write', path: '/action/type', values: ['set_paid', 'delete'] },
    {
      permission: 'access-groups:write',
      path: '/action/type',
      values: ['add_to_group', 'remove_from_group'],
    },
  ],
  params: nothing,
  query: nothing,
  body: BulkMemberActions,
  success: {
    status: 207,
    description: 'What became of each member.',
    body: Type.Object({
      data: Type.Array(BulkActionResultItem, {
        description: 'One result for each member, in the order submitted.',
        examples: [exampleResults],
      }),
      summary: BulkActionSummary,
    }),
    headers: [],
  },
  errors: ['scope_group_read_only', 'access_group_not_found', 'site_domain_missing'],
} as const satisfies Operation;
