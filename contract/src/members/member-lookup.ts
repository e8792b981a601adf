import { type Static, Type } from 'typebox';
import { maxLookedUpMembers } from '../shared/limits.ts';
import { named } from '../shared/resource.ts';
import {
  dateTime,
  exampleIds,
  maxRawValueLength,
  nullable,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';
import { memberSummaryProperties } from './member.ts';
import { members } from './member-resource.ts';

export const LookUpMembers = request(
  'LookUpMembers',
  {
    emails: Type.Optional(
      Type.Array(
        // No format: a text that is not an email address belongs to no member.
        text(
          'An email address, in any spelling that is accepted when a member is created.',
          'ada@example.com',
          { maxLength: maxRawValueLength },
        ),
        {
          minItems: 1,
          maxItems: maxLookedUpMembers,
          description: 'Email addresses. Duplicates count once.',
          examples: [['ada@example.com', 'nobody@example.com']],
        },
      ),
    ),
    memberIds: Type.Optional(
      Type.Array(uuid('The id of a member.', exampleIds.member), {
        minItems: 1,
        maxItems: maxLookedUpMembers,
        description: 'Ids of members. Duplicates count once.',
        examples: [[exampleIds.otherMember]],
      }),
    ),
  },
  {
    minProperties: 1,
    description:
      'The members to look up, by email address or id: at least one of the lists, and at most ' +
      `${maxLookedUpMembers} values in all.`,
    examples: [{ emails: ['ada@example.com', 'nobody@example.com'] }],
  },
);
export type LookUpMembers = Static<typeof LookUpMembers>;

/** The fields of a member that an import or a list of members needs. */
export const FoundMember = shape('FoundMember', 'A member who was looked up.', {
  ...memberSummaryProperties,
  accessGroups: Type.Array(
    Type.Object(
      {
        id: uuid('The access group.', exampleIds.group),
        name: text('Its display name.', 'Course 2026'),
        expiresAt: nullable(
          dateTime('When the membership expires; null if it does not.', '2030-12-31T23:00:00.000Z'),
        ),
      },
      { title: 'FoundMembership' },
    ),
    { description: 'The groups that the member belongs to, sorted by name.' },
  ),
});
export type FoundMember = Static<typeof FoundMember>;

export const memberLookupOperations = named({
  lookUpMembers: members.lookUp({
    path: '/members/lookup',
    summary: 'Look up members by email address or id',
    description:
      `Returns the members among up to ${maxLookedUpMembers} email addresses and ids, with their groups and the end of each ` +
      'membership, for example before an import, or for the members on a page of a list. Email addresses and ids that belong ' +
      'to no member are left out. Changes nothing.',
    body: LookUpMembers,
    returns: Type.Object({ data: Type.Array(FoundMember) }),
    success:
      'The members that were found, each one once: in the order of the email addresses, then in that of the ids.',
  }),
});
