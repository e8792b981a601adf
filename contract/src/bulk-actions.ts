import Type, { type Static } from 'typebox';
import { errorHelp } from './error-help.ts';
import { type BulkActionErrorCode, bulkActionErrorCodes } from './errors.ts';
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

/** What to do to each of the members. */
export type BulkAction =
  | { type: 'block' | 'unblock' | 'send_login_link' | 'delete' }
  | { type: 'set_paid'; paid: boolean }
  | { type: 'add_to_group'; groupId: string; expiresAt?: string | null }
  | { type: 'remove_from_group'; groupId: string };

export const BulkAction = Type.Unsafe<BulkAction>(
  Type.Object(
    {
      type: enumeration(bulkActionTypes, {
        description:
          'What to do to each of the members. `block` and `unblock` need `members:block`, `send_login_link` needs ' +
          '`login-links:send`, every other action needs `members:write`.',
        examples: ['add_to_group'],
      }),
      paid: Type.Optional(
        Type.Boolean({
          description: 'With `set_paid`, and with no other action: whether the members are paying customers.',
          examples: [true],
        }),
      ),
      groupId: Type.Optional(
        uuid(
          'With `add_to_group` and `remove_from_group`, and with no other action: a custom access group of the site.',
          exampleIds.group,
        ),
      ),
      expiresAt: Type.Optional(
        nullable(
          dateTime(
            'With `add_to_group`, and with no other action: when the memberships end by themselves, in the future, or null ' +
              'if they do not. It holds for those who are in the group already too. Left out, new memberships have no ' +
              'end, and existing ones keep theirs.',
            '2030-12-31T23:00:00.000Z',
          ),
        ),
      ),
    },
    {
      title: 'BulkAction',
      description: 'What to do to each of the members.',
      additionalProperties: false,
      examples: [{ type: 'add_to_group', groupId: exampleIds.group }],
    },
  ),
);

export const BulkMemberActions = Type.Object(
  {
    memberIds: Type.Array(memberIdParameter, {
      minItems: 1,
      maxItems: 500,
      description: 'The members, 1 to 500. An id given twice counts once.',
    }),
    action: BulkAction,
  },
  { title: 'BulkMemberActions', additionalProperties: false },
);
export type BulkMemberActions = Static<typeof BulkMemberActions>;

/** What became of one member. */
export type BulkActionResultItem =
  | { memberId: string; status: 'done'; previousExpiresAt?: string | null }
  | { memberId: string; status: 'unchanged' }
  | { memberId: string; status: 'error'; error: { code: BulkActionErrorCode; message: string } };

export const BulkActionResultItem = Type.Unsafe<BulkActionResultItem>(
  Type.Object(
    {
      memberId: memberIdParameter,
      status: enumeration(['done', 'unchanged', 'error'], {
        description:
          '`done`: success. `unchanged`: nothing was left to do, such as for a member who is in the group already.',
      }),
      previousExpiresAt: Type.Optional(
        nullable(
          dateTime(
            'Present only for a member who was in the group already, and whose membership `add_to_group` gave another ' +
              'end: when it would have ended before; null for never.',
            '2030-06-30T22:00:00.000Z',
          ),
        ),
      ),
      error: Type.Optional(
        Type.Object(
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
          { description: 'Present only when status is `error`.' },
        ),
      ),
    },
    { title: 'BulkActionResultItem', description: 'What became of one member.' },
  ),
);

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
