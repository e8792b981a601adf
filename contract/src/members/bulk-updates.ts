import type { Static } from 'typebox';
import { errorHelp } from '../shared/error-help.ts';
import { bulkUpdateErrorCodes } from '../shared/errors.ts';
import { exampleOf } from '../shared/examples.ts';
import { maxBulkMembers } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import { exampleIds, memberIdParameter, openEnumeration, variants } from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import { listedChangedMemberValues, Member } from './member.ts';

export const BulkMemberUpdate = Type.Object(
  {
    id: memberIdParameter,
    ...listedChangedMemberValues,
  },
  {
    title: 'BulkMemberUpdate',
    description: 'The new values of one member. Fields that are left out keep their value.',
    additionalProperties: false,
  },
);
export type BulkMemberUpdate = Static<typeof BulkMemberUpdate>;

export const BulkUpdateMembers = Type.Object(
  {
    members: Type.Array(BulkMemberUpdate, {
      minItems: 1,
      maxItems: maxBulkMembers,
      description: 'The members to update, 1 to 500.',
    }),
  },
  {
    title: 'BulkUpdateMembers',
    additionalProperties: false,
    examples: [{ members: [{ id: exampleIds.member, displayName: 'Ada King', paid: true }] }],
  },
);
export type BulkUpdateMembers = Static<typeof BulkUpdateMembers>;

/** The result for one submitted update. Narrow it by `status`. */
export const BulkUpdateResultItem = variants(
  'status',
  [
    Type.Object(
      {
        id: memberIdParameter,
        status: Type.Literal('updated', { description: 'The member was changed.' }),
        member: Member,
      },
      { title: 'BulkItemUpdated', description: 'A member who was changed, with the new values.' },
    ),
    Type.Object(
      {
        id: memberIdParameter,
        status: Type.Literal('unchanged', { description: 'The member has these values already.' }),
      },
      { title: 'BulkItemUnchanged', description: 'A member for whom there was nothing to change.' },
    ),
    Type.Object(
      {
        id: memberIdParameter,
        status: Type.Literal('error', { description: 'Nothing of this item was changed.' }),
        error: Type.Object(
          {
            code: openEnumeration(bulkUpdateErrorCodes, {
              description: 'Why the member was not updated.',
              examples: ['member_not_found'],
            }),
            message: Type.String({
              description: 'The reason in words.',
              examples: [errorHelp.member_not_found],
            }),
          },
          { description: 'Why the member was not updated.' },
        ),
      },
      { title: 'BulkItemNotUpdated', description: 'A submitted update that failed.' },
    ),
  ],
  {
    title: 'BulkUpdateResultItem',
    description: 'The result for one submitted update; `status` determines its schema.',
  },
);
export type BulkUpdateResultItem = Static<typeof BulkUpdateResultItem>;

export const BulkUpdateSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 1, description: 'Updates submitted.', examples: [2] }),
    updated: Type.Integer({ minimum: 0, description: 'Updates that changed a member.', examples: [1] }),
    unchanged: Type.Integer({
      minimum: 0,
      description: 'Updates for which there was nothing to change.',
      examples: [0],
    }),
    failed: Type.Integer({ minimum: 0, description: 'Updates with the status `error`.', examples: [1] }),
  },
  {
    title: 'BulkUpdateSummary',
    description: 'The result in numbers: `updated`, `unchanged` and `failed` add up to `total`.',
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

const members = new Resource({
  tag: 'Members',
  name: 'member',
  read: 'members:read',
  write: 'members:write',
});

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
    returns: Type.Object({
      data: Type.Array(BulkUpdateResultItem, {
        description: 'One result for each update, in the order submitted.',
        examples: [exampleResults],
      }),
      summary: BulkUpdateSummary,
    }),
    success: 'The result for each update.',
  }),
});
