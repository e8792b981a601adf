import { type Static, Type } from 'typebox';
import { maxLookedUpEmails } from '../shared/limits.ts';
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

export const LookUpMembers = request('LookUpMembers', {
  emails: Type.Array(
    // No format: a text that is not an email address belongs to no member.
    text('An email address, in any spelling that is accepted when a member is created.', 'ada@example.com', {
      maxLength: maxRawValueLength,
    }),
    {
      minItems: 1,
      maxItems: maxLookedUpEmails,
      description: `The email addresses, 1 to ${maxLookedUpEmails}. Duplicates count once.`,
      examples: [['ada@example.com', 'nobody@example.com']],
    },
  ),
});
export type LookUpMembers = Static<typeof LookUpMembers>;

/** The fields of a member that an import needs. */
export const FoundMember = shape('FoundMember', 'A member who has one of the email addresses.', {
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
    summary: 'Look up members by their email addresses',
    description:
      'Returns the members among up to 500 email addresses, with their groups and the end of each membership, for example ' +
      'before an import. Email addresses that belong to no member are left out. Changes nothing.',
    body: LookUpMembers,
    returns: Type.Object({ data: Type.Array(FoundMember) }),
    success: 'The members that were found, in the order of the given email addresses.',
  }),
});
