import Type, { type Static } from 'typebox';
import {
  dateTime,
  enumeration,
  exampleIds,
  longestRawValue,
  mostAccessGroupIds,
  nullable,
  uuid,
} from './schemas.ts';

export const memberStatuses = ['active', 'blocked'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

const groupMemberProperties = {
  id: uuid('The member.', exampleIds.member),
  email: Type.String({
    format: 'email',
    description: 'Address, normalised to lower case.',
    examples: ['ada@example.com'],
  }),
  displayName: nullable(
    Type.String({ description: 'Display name; null when not set.', examples: ['Ada Lovelace'] }),
  ),
  status: enumeration(memberStatuses, {
    description: '`active`: may access the site. `blocked`: is denied access.',
    examples: ['active'],
  }),
  verified: nullable(
    Type.Boolean({
      description: 'Whether the address was verified by use of a login link; null if unknown.',
      examples: [false],
    }),
  ),
  paid: nullable(
    Type.Boolean({
      description: 'Marked as a paying customer, by hand or through the API.',
      examples: [true],
    }),
  ),
  registeredAt: nullable(
    dateTime('When the member first registered: used a login link or was added.', '2026-01-31T09:30:00.000Z'),
  ),
  lastLoginAt: nullable(dateTime('Last login through a login link.', '2026-02-14T18:05:12.345Z')),
};

/** A member as the list of a group's members shows it. */
export const GroupMember = Type.Object(groupMemberProperties, {
  title: 'GroupMember',
  description: 'A member as the list of the members of an access group shows it.',
});
export type GroupMember = Static<typeof GroupMember>;

const memberProperties = {
  ...groupMemberProperties,
  createdAt: nullable(dateTime('When the record was created.', '2026-01-31T09:30:00.000Z')),
  updatedAt: nullable(dateTime('When the record was last modified.', '2026-02-14T18:05:12.345Z')),
};

export const Member = Type.Object(memberProperties, {
  title: 'Member',
  description: "A person's account record on the site.",
});
export type Member = Static<typeof Member>;

export const AccessGroupReference = Type.Object(
  {
    id: uuid('The access group.', exampleIds.group),
    name: Type.String({ description: 'Its display name.', examples: ['Course 2026'] }),
  },
  { title: 'AccessGroupReference', description: 'An access group, as a member names it.' },
);
export type AccessGroupReference = Static<typeof AccessGroupReference>;

export const MemberWithGroups = Type.Object(
  {
    ...memberProperties,
    accessGroups: Type.Array(AccessGroupReference, { description: 'The groups that the member belongs to.' }),
  },
  { title: 'MemberWithGroups', description: 'A member, with the access groups that the member belongs to.' },
);
export type MemberWithGroups = Static<typeof MemberWithGroups>;

// The real limits hold after trimming and normalising, where the service looks, so the schema only caps the length.
export const emailRules =
  'Exactly one address. It is trimmed and lower-cased, its domain is turned into the ASCII form, and the result must ' +
  'be a valid address of at most 254 characters, 64 before the `@`.';
export const displayNameRules =
  'Display name. It is trimmed; empty becomes null; at most 200 characters after trimming, none of them a control character.';

export const submittedEmail = Type.String({
  format: 'email',
  maxLength: longestRawValue,
  description: emailRules,
  examples: ['ada@example.com'],
});
export const submittedDisplayName = nullable(
  Type.String({ maxLength: longestRawValue, description: displayNameRules, examples: ['Ada Lovelace'] }),
);
export const submittedPaid = Type.Boolean({
  description: 'Whether the member is a paying customer. Taken as false when left out.',
  examples: [true],
});

export function accessGroupIds(whose: string) {
  return Type.Array(uuid('A custom access group of the site.', exampleIds.group), {
    maxItems: mostAccessGroupIds,
    description: `Custom access groups that ${whose} added to, at most ${mostAccessGroupIds}. An id given twice counts once. Scope groups are not allowed.`,
  });
}
