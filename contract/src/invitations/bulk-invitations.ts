import { type Static, Type } from 'typebox';
import { bulkItems, bulkResults, itemError } from '../members/bulk-items.ts';
import { errorHelp } from '../shared/error-codes.ts';
import { bulkInvitationErrorCodes } from '../shared/errors.ts';
import { exampleOf } from '../shared/examples.ts';
import { named } from '../shared/resource.ts';
import {
  count,
  enumeration,
  flag,
  integer,
  optional,
  request,
  shape,
  text,
  variants,
} from '../shared/schemas.ts';
import {
  Invitation,
  invitations,
  invitedFields,
  makesMembers,
  submittedEnd,
  submittedLanguage,
  submittedNote,
} from './invitations.ts';

export const BulkCreateInvitations = request(
  'BulkCreateInvitations',
  {
    emails: bulkItems(
      text(
        'The email address, as for a member. An invalid one makes its item an `error`.',
        'ada@example.com',
      ),
      'The email addresses, 1 to 500. Each gets an invitation of its own.',
    ),
    ...optional({
      ...invitedFields,
      note: submittedNote,
      language: submittedLanguage,
      expiresAt: submittedEnd,
      send: flag('Whether to email the links. Defaults to true.', true),
    }),
  },
  { examples: [{ emails: ['ada@example.com', 'grace@example.com'] }] },
);
export type BulkCreateInvitations = Static<typeof BulkCreateInvitations>;

const submittedAddress = text('The email address exactly as submitted.', 'Ada@Example.com');

/** The result for one submitted email address. Narrow it by `status`. */
export const BulkInvitationResultItem = variants(
  'status',
  [
    shape('BulkInvitationCreated', 'An email address that has been invited.', {
      email: submittedAddress,
      status: Type.Literal('created', { description: 'The invitation was created.' }),
      invitation: Invitation,
    }),
    shape('BulkInvitationFailed', 'An email address that has not been invited.', {
      email: submittedAddress,
      status: enumeration(
        ['conflict', 'error'],
        '`conflict`: it has an active invitation to the same groups. `error`: any other failure.',
        'conflict',
      ),
      error: itemError(bulkInvitationErrorCodes, 'Why it was not invited.', 'already_invited'),
    }),
  ],
  {
    title: 'BulkInvitationResultItem',
    description: 'The result for one submitted email address; `status` determines its schema.',
  },
);
export type BulkInvitationResultItem = Static<typeof BulkInvitationResultItem>;

export const BulkInvitationSummary = shape(
  'BulkInvitationSummary',
  'The result in numbers: `created` plus `failed` equals `total`.',
  {
    total: integer('Email addresses submitted.', 2, { minimum: 1 }),
    created: count('Invitations created.', 1),
    failed: count('Email addresses with the status `conflict` or `error`.', 1),
  },
);
export type BulkInvitationSummary = Static<typeof BulkInvitationSummary>;

const exampleResults: BulkInvitationResultItem[] = [
  {
    email: 'ada@example.com',
    status: 'created',
    invitation: { ...exampleOf(Invitation), maxUses: 1, usedCount: 0, url: null },
  },
  {
    email: 'grace@example.com',
    status: 'conflict',
    error: { code: 'already_invited', message: errorHelp.already_invited },
  },
];

export const bulkInvitationOperations = named({
  bulkCreateInvitations: invitations.bulk({
    path: '/invitations/bulk',
    summary: 'Invite up to 500 email addresses',
    description:
      'Each email address gets an invitation of its own or fails individually, so check the results; they are in the ' +
      'order submitted. All new invitations are stored together: after a crash, either all or none of them exist. A ' +
      'group that cannot be used rejects the whole request.',
    furtherPermissions: makesMembers,
    body: BulkCreateInvitations,
    returns: bulkResults('email address', BulkInvitationResultItem, BulkInvitationSummary, exampleResults),
    success: 'The result for each email address.',
    errors: ['scope_group_read_only', 'access_group_not_found', 'site_domain_missing'],
  }),
});
