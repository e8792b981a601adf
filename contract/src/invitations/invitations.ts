import { type Static, Type } from 'typebox';
import { memberSummaryProperties } from '../members/member.ts';
import {
  defaultInvitationDays,
  maxAccessGroupIds,
  maxDomainLength,
  maxInvitationDays,
  maxInvitationDomains,
  maxInvitationNoteLength,
  maxInvitationUses,
  maxMembershipDays,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  count,
  dateTime,
  enumeration,
  exampleIds,
  flag,
  integer,
  maxRawValueLength,
  noNull,
  nullable,
  openEnumeration,
  optional,
  request,
  shape,
  text,
  uuid,
  withCommas,
} from '../shared/schemas.ts';

export const invitationStatuses = ['active', 'used_up', 'expired', 'revoked'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

const statusText =
  '`active`: people can join with it. `used_up`: it was used `maxUses` times. `expired`: it is past `expiresAt`. ' +
  '`revoked`: it was revoked, or the API key or operator that made it no longer exists.';
const noteText = `For operators only: nobody who is invited sees it. At most ${maxInvitationNoteLength} characters.`;
const emailText =
  'The only email address for which the invitation works; null if it works for everyone who has the link.';
const membershipExpiresAtText =
  'When the memberships in the groups expire, a time in the future; null if they do not, or if `membershipDays` says it.';
const membershipDaysText =
  'After how many days from joining the memberships expire; null if they do not, or if `membershipExpiresAt` says it.';
const maxUsesText = `How many people can join with it, at most ${withCommas(maxInvitationUses)}; null for any number. An invitation with \`email\` works once.`;
const domainsText =
  'The email domains of those who can join: the part after the `@`; subdomains do not match. Empty for any.';
const approvalText =
  'Whether joining only creates a request to join, which an operator decides. A use is then counted at the approval.';
const expiresAtText = 'Until when people can join with it, at the latest until `membershipExpiresAt`.';
const languageText = 'The language of its email, one of `languages` of the site; null for the first of them.';

const domain = (description: string) =>
  text(description, 'example.com', { minLength: 1, maxLength: maxDomainLength, pattern: noNull });

export const Invitation = shape('Invitation', 'A link with which people become members, or join groups.', {
  id: uuid('The invitation.', exampleIds.invitation),
  note: text(noteText, 'Beginners, autumn'),
  email: nullable(text(emailText, 'ada@example.com', { format: 'email' })),
  accessGroupIds: Type.Array(uuid('An access group.', exampleIds.group), {
    description:
      'The custom groups that those who join are added to. A group that has been deleted is ignored.',
    examples: [[exampleIds.group]],
  }),
  membershipExpiresAt: nullable(dateTime(membershipExpiresAtText, '2030-12-31T23:00:00.000Z')),
  membershipDays: nullable(integer(membershipDaysText, 90)),
  maxUses: nullable(integer(maxUsesText, 30)),
  usedCount: count('How many people have joined with it.', 12),
  emailDomains: Type.Array(text('An email domain.', 'example.com'), {
    description: domainsText,
    examples: [[]],
  }),
  needsApproval: flag(approvalText, false),
  language: nullable(text(languageText, 'en')),
  expiresAt: dateTime(expiresAtText, '2026-02-14T09:30:00.000Z'),
  status: openEnumeration(invitationStatuses, statusText, 'active'),
  url: nullable(
    text(
      'The link. Anyone who has it can try to join. For callers with the permissions to create the invitation; of one with ' +
        '`email` only in the response that creates it, and null if it is sent.',
      'https://academy.example.com/_gatehouse/join/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ),
  ),
  sentAt: nullable(dateTime('When its email was last sent; null if it was not.')),
  createdAt: dateTime('When it was created.'),
  updatedAt: dateTime('When it was last changed or sent.'),
});
export type Invitation = Static<typeof Invitation>;

export const InvitationRedemption = shape(
  'InvitationRedemption',
  'A member who has joined with an invitation.',
  {
    id: uuid('The redemption.', exampleIds.redemption),
    member: Type.Object(memberSummaryProperties, { description: 'The member.' }),
    isNewMember: flag('Whether the person became a member by it. Otherwise a member joined groups.', true),
    redeemedAt: dateTime('When the member joined.'),
  },
);
export type InvitationRedemption = Static<typeof InvitationRedemption>;

/** What an invitation gives. */
export const invitedFields = {
  accessGroupIds: Type.Array(uuid('A custom access group of the site.', exampleIds.group), {
    maxItems: maxAccessGroupIds,
    description: 'The custom groups that those who join are added to.',
    examples: [[]],
  }),
  membershipExpiresAt: nullable(dateTime(membershipExpiresAtText, '2099-12-31T23:00:00.000Z')),
  membershipDays: nullable(integer(membershipDaysText, 90, { minimum: 1, maximum: maxMembershipDays })),
  needsApproval: flag(approvalText, false),
};

export const submittedNote = text(noteText, 'Beginners, autumn', {
  // The cap is higher than the limit, because the limit applies after trimming.
  maxLength: maxRawValueLength,
  pattern: noNull,
});

/** Until when, for an invitation that is created. */
export const submittedEnd = dateTime(
  `Until when people can join with it: a time in the future, at most ${maxInvitationDays} days from now; an earlier ` +
    `\`membershipExpiresAt\` replaces it. Defaults to ${defaultInvitationDays} days from now, and to the end of the API key ` +
    'if that is earlier.',
  '2099-12-31T23:00:00.000Z',
);

export const submittedLanguage = nullable(text(languageText, 'en', { minLength: 2, maxLength: 35 }));

const changeable = {
  note: submittedNote,
  ...invitedFields,
  maxUses: nullable(integer(maxUsesText, 30, { minimum: 1, maximum: maxInvitationUses })),
  emailDomains: Type.Array(domain('An email domain.'), {
    maxItems: maxInvitationDomains,
    description: domainsText,
    examples: [[]],
  }),
};

export const CreateInvitation = request(
  'CreateInvitation',
  optional({
    ...changeable,
    email: nullable(text(emailText, 'ada@example.com', { format: 'email', maxLength: maxRawValueLength })),
    language: submittedLanguage,
    expiresAt: submittedEnd,
    send: flag(
      'Whether to email the link to `email`. Defaults to true if there is one; otherwise it must be false.',
      true,
    ),
  }),
  {
    description: 'Without `email`, `maxUses` defaults to null.',
    examples: [{ note: 'Beginners, autumn', maxUses: 30 }],
  },
);
export type CreateInvitation = Static<typeof CreateInvitation>;

export const UpdateInvitation = changes(
  'UpdateInvitation',
  {
    ...changeable,
    expiresAt: dateTime(
      `Until when people can join with it: a time in the future, at most ${maxInvitationDays} days from now; an earlier ` +
        '`membershipExpiresAt` replaces it.',
      '2099-12-31T23:00:00.000Z',
    ),
  },
  { examples: [{ note: 'Beginners, winter' }] },
);
export type UpdateInvitation = Static<typeof UpdateInvitation>;

export const invitations = new Resource({
  tag: 'Invitations',
  name: 'invitation',
  read: 'invitations:read',
  write: 'invitations:write',
});

/** People who join become members, with the rights of the caller who invites them. */
export const makesMembers = [
  { permission: 'members:write' },
  { permission: 'access-groups:write', path: '/accessGroupIds' },
] as const;

export const invitationOperations = named({
  listInvitations: invitations.list({
    path: '/invitations',
    summary: 'List invitations',
    description:
      'The invitations of the site, newest first. Those that have ended are listed for 90 days after `expiresAt`.',
    query: {
      status: enumeration(invitationStatuses, 'Invitations with this status.'),
      email: text('Invitations for this email address.', 'ada@example.com', {
        format: 'email',
        maxLength: maxRawValueLength,
      }),
    },
    returns: Invitation,
  }),
  createInvitation: invitations.create({
    path: '/invitations',
    summary: 'Create an invitation',
    description:
      'Creates a link with which people become members and join groups. Opening the link changes nothing: those who join ' +
      'enter their email address and get a login email, and a use is counted when they log in with it. An invitation ends ' +
      'with the API key or the operator that made it, and gives no more than they could give at that time.',
    furtherPermissions: makesMembers,
    body: CreateInvitation,
    returns: Invitation,
    // That of an address can have a link that is not shown again.
    headers: ['Location'],
    errors: [
      'scope_group_read_only',
      'access_group_not_found',
      'already_invited',
      'site_domain_missing',
      'email_budget_exhausted',
    ],
  }),
  getInvitation: invitations.get({
    path: '/invitations/{invitationId}',
    summary: 'Get an invitation',
    description: 'One invitation with its status.',
    returns: Invitation,
  }),
  updateInvitation: invitations.update({
    path: '/invitations/{invitationId}',
    summary: 'Update an invitation',
    description:
      'Changes the given fields, at least one. From then on, it ends with the caller instead of with who made it.',
    furtherPermissions: makesMembers,
    body: UpdateInvitation,
    returns: Invitation,
    errors: ['scope_group_read_only', 'access_group_not_found', 'invitation_not_active'],
  }),
  revokeInvitation: invitations.delete({
    path: '/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    description: 'Nobody can join with it any more. Those who have joined stay members.',
    furtherPermissions: [{ permission: 'members:write' }],
    success: 'The invitation is revoked.',
    errors: ['invitation_not_active'],
  }),
  sendInvitation: invitations.act({
    path: '/invitations/{invitationId}/send',
    summary: 'Send an invitation',
    description:
      'Emails a new link to the email address of the invitation. The former links work until one of them is used. Emails ' +
      'to one person are limited: see `email_budget_exhausted`.',
    furtherPermissions: [{ permission: 'members:write' }],
    returns: Invitation,
    errors: [
      'invitation_not_active',
      'invitation_without_email',
      'site_domain_missing',
      'email_budget_exhausted',
    ],
  }),
  listInvitationRedemptions: invitations.list({
    path: '/invitations/{invitationId}/redemptions',
    summary: 'List who has joined with an invitation',
    description:
      'The members who have joined with it, latest first. Members who were deleted since are missing.',
    furtherPermissions: [{ permission: 'members:read' }],
    returns: InvitationRedemption,
    success: 'A page of redemptions.',
  }),
});
