import { type Static, Type } from 'typebox';
import { errorHelp } from '../shared/error-codes.ts';
import { bulkUpdateErrorCodes } from '../shared/errors.ts';
import { exampleOf } from '../shared/examples.ts';
import { named } from '../shared/resource.ts';
import {
  count,
  exampleIds,
  integer,
  memberIdParameter,
  request,
  shape,
  variants,
} from '../shared/schemas.ts';
import { bulkItems, bulkResults, itemError } from './bulk-items.ts';
import { listedChangedMemberValues, Member } from './member.ts';
import { members } from './member-resource.ts';

export const BulkMemberUpdate = request(
  'BulkMemberUpdate',
  {
    id: memberIdParameter,
    ...listedChangedMemberValues,
  },
  { description: 'The new values of one member. Fields that are left out keep their value.' },
);
export type BulkMemberUpdate = Static<typeof BulkMemberUpdate>;

export const BulkUpdateMembers = request(
  'BulkUpdateMembers',
  {
    members: bulkItems(BulkMemberUpdate, 'The members to update, 1 to 500.'),
  },
  { examples: [{ members: [{ id: exampleIds.member, displayName: 'Ada King', paid: true }] }] },
);
export type BulkUpdateMembers = Static<typeof BulkUpdateMembers>;

/** The result for one submitted update. Narrow it by `status`. */
export const BulkUpdateResultItem = variants(
  'status',
  [
    shape('BulkItemUpdated', 'A member who was changed, with the new values.', {
      id: memberIdParameter,
      status: Type.Literal('updated', { description: 'The member was changed.' }),
      member: Member,
    }),
    shape('BulkItemUnchanged', 'A member for whom there was nothing to change.', {
      id: memberIdParameter,
      status: Type.Literal('unchanged', { description: 'The member has these values already.' }),
    }),
    shape('BulkItemNotUpdated', 'A submitted update that failed.', {
      id: memberIdParameter,
      status: Type.Literal('error', { description: 'Nothing of this item was changed.' }),
      error: itemError(bulkUpdateErrorCodes, 'Why the member was not updated.', 'member_not_found'),
    }),
  ],
  {
    title: 'BulkUpdateResultItem',
    description: 'The result for one submitted update; `status` determines its schema.',
  },
);
export type BulkUpdateResultItem = Static<typeof BulkUpdateResultItem>;

export const BulkUpdateSummary = shape(
  'BulkUpdateSummary',
  'The result in numbers: `updated`, `unchanged` and `failed` add up to `total`.',
  {
    total: integer('Updates submitted.', 2, { minimum: 1 }),
    updated: count('Updates that changed a member.', 1),
    unchanged: count('Updates for which there was nothing to change.', 0),
    failed: count('Updates with the status `error`.', 1),
  },
);
export type BulkUpdateSummary = Static<typeof BulkUpdateSummary>;

const exampleResults: BulkUpdateResultItem[] = [
  { id: exampleIds.member, status: 'updated', member: exampleOf(Member) },
  {
    id: exampleIds.otherMember,
    status: 'error',
    error: { code: 'member_not_found', message: errorHelp.member_not_found },
  },
];

export const bulkUpdateOperations = named({
  bulkUpdateMembers: members.bulk({
    path: '/members/bulk-updates',
    summary: 'Update up to 500 members',
    description:
      'Sets names and `paid`, each member to values of its own. Each update succeeds or fails individually, so check the ' +
      'results; they are in the order submitted. If a member is submitted twice, the later item is applied to the result ' +
      'of the earlier one. All changes are stored together: after a crash, either all or none of them exist. A request ' +
      'that does not match the schema is rejected as a whole and nothing is changed.',
    body: BulkUpdateMembers,
    returns: bulkResults('update', BulkUpdateResultItem, BulkUpdateSummary, exampleResults),
    success: 'The result for each update.',
  }),
});
