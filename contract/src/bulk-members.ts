import Type, { type Static } from 'typebox';
import { errorHelp } from './error-help.ts';
import { bulkErrorCodes } from './errors.ts';
import { exampleOf } from './examples.ts';
import { accessGroupIds, displayNameRules, emailRules, Member, submittedPaid } from './member.ts';
import type { Operation } from './operation.ts';
import { enumeration, nothing, nullable, openEnumeration, variants } from './schemas.ts';

export const BulkMember = Type.Object(
  {
    // No format and no length: a value that breaks the rules is its item's error, not a refusal of the whole request.
    // The size of the body bounds them all.
    email: Type.String({
      description: `${emailRules} An address that breaks this makes its item an \`error\` with \`invalid_email\`.`,
      examples: ['ada@example.com'],
    }),
    displayName: Type.Optional(
      nullable(Type.String({ description: displayNameRules, examples: ['Ada Lovelace'] })),
    ),
    paid: Type.Optional(submittedPaid),
  },
  { title: 'BulkMember', description: 'One member to create.', additionalProperties: false },
);
export type BulkMember = Static<typeof BulkMember>;

export const BulkCreateMembers = Type.Object(
  {
    members: Type.Array(BulkMember, {
      minItems: 1,
      maxItems: 500,
      description: 'The members to create, 1 to 500.',
    }),
    accessGroupIds: Type.Optional(accessGroupIds('all created members are')),
  },
  {
    title: 'BulkCreateMembers',
    additionalProperties: false,
    examples: [
      {
        members: [
          { email: 'ada@example.com', displayName: 'Ada Lovelace', paid: true },
          { email: 'grace@example.com' },
        ],
      },
    ],
  },
);
export type BulkCreateMembers = Static<typeof BulkCreateMembers>;

const submittedAddress = Type.String({
  description: 'The address exactly as it was submitted.',
  examples: ['Ada@Example.com'],
});

/** What became of one submitted member. Narrow it by `status`. */
export const BulkResultItem = variants(
  'status',
  [
    Type.Object(
      {
        email: submittedAddress,
        status: Type.Literal('created', { description: 'The member was created.' }),
        member: Member,
      },
      { title: 'BulkItemCreated', description: 'A submitted member who was created.' },
    ),
    Type.Object(
      {
        email: submittedAddress,
        status: enumeration(['conflict', 'error'], {
          description: '`conflict`: a member with this address already exists. `error`: any other failure.',
          examples: ['conflict'],
        }),
        error: Type.Object(
          {
            code: openEnumeration(bulkErrorCodes, {
              description: 'Why the member was not created.',
              examples: ['email_taken'],
            }),
            message: Type.String({
              description: 'The same for people.',
              examples: [errorHelp.email_taken],
            }),
          },
          { description: 'Why the member was not created.' },
        ),
      },
      { title: 'BulkItemFailed', description: 'A submitted member who was not created.' },
    ),
  ],
  {
    title: 'BulkResultItem',
    description: 'What became of one submitted member: `status` says which of the shapes it has.',
  },
);
export type BulkResultItem = Static<typeof BulkResultItem>;

export const BulkSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 1, description: 'Members submitted.', examples: [2] }),
    created: Type.Integer({ minimum: 0, description: 'Members created.', examples: [1] }),
    failed: Type.Integer({
      minimum: 0,
      description: 'Members that ended as `conflict` or `error`.',
      examples: [1],
    }),
  },
  { title: 'BulkSummary', description: 'The result in numbers: `created` plus `failed` equals `total`.' },
);
export type BulkSummary = Static<typeof BulkSummary>;

const exampleResults: BulkResultItem[] = [
  { email: 'ada@example.com', status: 'created', member: exampleOf(Member) },
  {
    email: 'grace@example.com',
    status: 'conflict',
    error: { code: 'email_taken', message: errorHelp.email_taken },
  },
];

export const bulkCreateMembers = {
  id: 'bulkCreateMembers',
  method: 'POST',
  path: '/members/bulk',
  tag: 'Members',
  summary: 'Create up to 500 members',
  description:
    'Each member succeeds or fails on its own, so check the results; they come in the order submitted. An address that ' +
    'is submitted twice is created once, and its later items conflict. All members that pass are stored together: a ' +
    'crash leaves all or none of them. A request of the wrong shape, or with a group that cannot be used, is refused ' +
    'as a whole and nothing is created.',
  permission: 'members:write',
  furtherPermissions: [{ permission: 'access-groups:write', path: '/accessGroupIds' }],
  params: nothing,
  query: nothing,
  body: BulkCreateMembers,
  success: {
    status: 207,
    description: 'What became of each member.',
    body: Type.Object({
      data: Type.Array(BulkResultItem, {
        description: 'One result for each member, in the order submitted.',
        examples: [exampleResults],
      }),
      summary: BulkSummary,
    }),
    headers: [],
  },
  errors: ['scope_group_read_only', 'access_group_not_found'],
} as const satisfies Operation;
