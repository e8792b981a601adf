import { type Static, Type } from 'typebox';
import { errorHelp } from '../shared/error-codes.ts';
import { bulkErrorCodes } from '../shared/errors.ts';
import { exampleOf } from '../shared/examples.ts';
import { named } from '../shared/resource.ts';
import {
  count,
  enumeration,
  exampleIds,
  integer,
  request,
  shape,
  text,
  uuid,
  variants,
} from '../shared/schemas.ts';
import { bulkItems, bulkResults, itemError } from './bulk-items.ts';
import { accessGroupIds, listedNewMemberValues, Member } from './member.ts';
import { members } from './member-resource.ts';

export const BulkMember = request('BulkMember', listedNewMemberValues, {
  description: 'One member to create.',
});
export type BulkMember = Static<typeof BulkMember>;

export const BulkCreateMembers = request(
  'BulkCreateMembers',
  {
    members: bulkItems(BulkMember, 'The members to create, 1 to 500.'),
    accessGroupIds: Type.Optional(accessGroupIds('all created members are')),
  },
  {
    examples: [
      {
        members: [
          // Not those of the sample site, so that the first call of a reader succeeds.
          { email: 'katherine@example.com', displayName: 'Katherine Johnson', paid: true },
          { email: 'dorothy@example.com' },
        ],
      },
    ],
  },
);
export type BulkCreateMembers = Static<typeof BulkCreateMembers>;

const submittedAddress = text('The email address exactly as submitted.', 'Ada@Example.com');

/** The result for one submitted member. Narrow it by `status`. */
export const BulkResultItem = variants(
  'status',
  [
    shape('BulkItemCreated', 'A submitted member who was created.', {
      email: submittedAddress,
      status: Type.Literal('created', { description: 'The member was created.' }),
      member: Member,
    }),
    shape('BulkItemFailed', 'A submitted member who was not created.', {
      email: submittedAddress,
      status: enumeration(
        ['conflict', 'error'],
        '`conflict`: a member with this email address already exists. `error`: any other failure.',
        'conflict',
      ),
      error: itemError(bulkErrorCodes, 'Why the member was not created.', 'email_taken'),
      existingMemberId: Type.Optional(
        uuid(
          'The member with this email address, for a `conflict`. Only for callers with the permission `members:read`, and ' +
            'left out if that member is deleted at the same time.',
          exampleIds.otherMember,
        ),
      ),
    }),
  ],
  {
    title: 'BulkResultItem',
    description: 'The result for one submitted member; `status` determines its schema.',
  },
);
export type BulkResultItem = Static<typeof BulkResultItem>;

export const BulkSummary = shape(
  'BulkSummary',
  'The result in numbers: `created` plus `failed` equals `total`.',
  {
    total: integer('Members submitted.', 2, { minimum: 1 }),
    created: count('Members created.', 1),
    failed: count('Members with the status `conflict` or `error`.', 1),
  },
);
export type BulkSummary = Static<typeof BulkSummary>;

const exampleResults: BulkResultItem[] = [
  { email: 'ada@example.com', status: 'created', member: exampleOf(Member) },
  {
    email: 'grace@example.com',
    status: 'conflict',
    error: { code: 'email_taken', message: errorHelp.email_taken },
    existingMemberId: exampleIds.otherMember,
  },
];

export const bulkMemberOperations = named({
  bulkCreateMembers: members.bulk({
    path: '/members/bulk',
    summary: 'Create up to 500 members',
    description:
      'Each member is created or fails individually, so check the results; they are in the order submitted. If an ' +
      'email address is submitted twice, the first item creates the member and the later items conflict. All new members are ' +
      'stored together: after a crash, either all or none of them exist. A request that does not match the schema, or ' +
      'with a group that cannot be used, is rejected as a whole and nothing is created.',
    furtherPermissions: [{ permission: 'access-groups:write', path: '/accessGroupIds' }],
    body: BulkCreateMembers,
    returns: bulkResults('member', BulkResultItem, BulkSummary, exampleResults),
    success: 'The result for each member.',
    errors: ['scope_group_read_only', 'access_group_not_found'],
  }),
});
