import { type Static, Type } from 'typebox';
import type { BulkErrorCode } from '../shared/errors.ts';
import { maxAccessGroupIds } from '../shared/limits.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  flag,
  maxRawValueLength,
  nullable,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';
import { memberStatuses } from './member-fields.ts';

const groupMemberProperties = {
  id: uuid('The member.', exampleIds.member),
  email: text('Email address, normalized to lowercase.', 'ada@example.com', { format: 'email' }),
  displayName: nullable(text('Display name; null when not set.', 'Ada Lovelace')),
  status: enumeration(
    memberStatuses,
    '`active`: may access the site. `blocked`: is denied access.',
    'active',
  ),
  verified: nullable(flag('Whether the email address was verified by a login link; null if unknown.', false)),
  paid: nullable(flag('Whether the member is marked as a paying customer.', true)),
  registeredAt: nullable(
    dateTime('When the member first registered: used a login link or was added.', '2026-01-31T09:30:00.000Z'),
  ),
  lastLoginAt: nullable(dateTime('Last login through a login link.', '2026-02-14T18:05:12.345Z')),
};

const { id, email, displayName, status, paid } = groupMemberProperties;

/** The fields of a member in events and look-ups. */
export const memberSummaryProperties = { id, email, displayName, status, paid };

/** A member in the list of the members of a group. */
export const GroupMember = shape(
  'GroupMember',
  'A member in the list of the members of an access group.',
  groupMemberProperties,
);
export type GroupMember = Static<typeof GroupMember>;

const memberProperties = {
  ...groupMemberProperties,
  lastSeenAt: nullable(
    dateTime('When the member last used the site in a session, to the hour.', '2026-02-14T18:05:12.345Z'),
  ),
  createdAt: nullable(dateTime('When the record was created.', '2026-01-31T09:30:00.000Z')),
  updatedAt: nullable(dateTime('When the record was last changed.', '2026-02-14T18:05:12.345Z')),
};

export const Member = shape('Member', "A person's account record on the site.", memberProperties);
export type Member = Static<typeof Member>;

export const AccessGroupReference = shape('AccessGroupReference', 'An access group of a member.', {
  id: uuid('The access group.', exampleIds.group),
  name: text('Its display name.', 'Course 2026'),
});
export type AccessGroupReference = Static<typeof AccessGroupReference>;

export const MemberWithGroups = shape('MemberWithGroups', 'A member with their access groups.', {
  ...memberProperties,
  accessGroups: Type.Array(AccessGroupReference, { description: 'The groups that the member belongs to.' }),
});
export type MemberWithGroups = Static<typeof MemberWithGroups>;

// What callers submit. The service checks the real limits after trimming and normalizing, so the schemas only cap the
// length. Those of an item in a list do not even do that: an invalid value is an error of its item and does not reject
// the whole request, whose size limits the length.

const emailRules =
  'Exactly one email address. It is trimmed and converted to lowercase, its domain is turned into the ASCII form, and the result must ' +
  'be a valid email address of at most 254 characters, 64 before the `@`.';
const displayNameRules =
  'Display name. It is trimmed, and an empty name becomes null. At most 200 characters after trimming, without ' +
  'control characters.';
const registeredAtRules =
  'When the member first registered, for members who registered in another system before: a time in the past, in RFC ' +
  '3339. Defaults to the current time when left out or null.';

/** What a search reads. */
export const searchedTexts = 'the email address or the display name';

export const submittedEmail = text(emailRules, 'ada@example.com', {
  format: 'email',
  maxLength: maxRawValueLength,
});
export const submittedDisplayName = nullable(
  text(displayNameRules, 'Ada Lovelace', { maxLength: maxRawValueLength }),
);
const paidOfNew = flag('Whether the member is a paying customer. Defaults to false.', true);
const changedPaid = flag('Whether the member is a paying customer.', true);

const listedDisplayName = listedText(displayNameRules, 'invalid_display_name', 'Ada Lovelace');
const listedRegisteredAt = listedText(registeredAtRules, 'invalid_registered_at', '2024-05-01T10:00:00.000Z');

/** A text in an item of a list. */
function listedText(rules: string, code: BulkErrorCode, example: string) {
  return text(`${rules} Anything else makes its item an \`error\` with \`${code}\`.`, example);
}

/** The values with which a member can be created. */
export const newMemberValues = {
  email: submittedEmail,
  displayName: Type.Optional(submittedDisplayName),
  paid: Type.Optional(paidOfNew),
  registeredAt: Type.Optional(nullable(dateTime(registeredAtRules))),
};

/** The same in a list of new members. */
export const listedNewMemberValues = {
  email: listedText(emailRules, 'invalid_email', 'ada@example.com'),
  displayName: Type.Optional(nullable(listedDisplayName)),
  paid: Type.Optional(paidOfNew),
  registeredAt: Type.Optional(nullable(listedRegisteredAt)),
};

/** The values of a member that can be changed. */
export const changedMemberValues = {
  email: submittedEmail,
  displayName: submittedDisplayName,
  paid: changedPaid,
};

/** Those that can be changed in a list of members. */
export const listedChangedMemberValues = {
  displayName: Type.Optional(nullable(listedDisplayName)),
  paid: Type.Optional(changedPaid),
};

export function accessGroupIds(whose: string) {
  return Type.Array(uuid('A custom access group of the site.', exampleIds.group), {
    maxItems: maxAccessGroupIds,
    description: `Custom access groups that ${whose} added to, at most ${maxAccessGroupIds}. An id given twice counts once. Scope groups are not allowed.`,
  });
}
