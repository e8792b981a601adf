import { type Static, Type } from 'typebox';
import { GroupMember, MemberWithGroups } from '../members/member.ts';
import { named, Resource } from '../shared/resource.ts';
import { dateTime, enumeration, exampleIds, nullable, request, shape, uuid } from '../shared/schemas.ts';

/** How a membership was created. */
export const membershipSources = [
  'api',
  'import',
  'scope',
  'operator',
  'sign_up',
  'invitation',
  'provider',
] as const;
export type MembershipSource = (typeof membershipSources)[number];

export const Membership = shape('Membership', 'The membership of a member in an access group.', {
  groupId: uuid('The access group.', exampleIds.group),
  memberId: uuid('The member.', exampleIds.member),
  addedAt: dateTime('When the member was added.'),
  expiresAt: nullable(
    dateTime(
      'When the membership expires; null if it does not. An expired membership grants no access. The end of a last ' +
        'day is the first instant of the next day in the `timeZone` of the site.',
      '2030-12-31T23:00:00.000Z',
    ),
  ),
  source: enumeration(
    membershipSources,
    'How the membership came about. `api`: added with an API key. `import`: added by an import. `scope`: follows ' +
      'the source of a scope group. `operator`: added by a person in the dashboard or on the command line. ' +
      '`sign_up`: added by sign-up on the login page. `invitation`: joined with an invitation. `provider`: follows the ' +
      'claim of groups of a login provider at each login there.',
  ),
});
export type Membership = Static<typeof Membership>;

export const AddAccessGroupMember = request(
  'AddAccessGroupMember',
  {
    memberId: uuid('An existing member of the site.', exampleIds.member),
    expiresAt: Type.Optional(
      nullable(
        dateTime(
          'When the membership expires, a time in the future; for a last day, the first instant of the next day in the ' +
            '`timeZone` of the site. If null or left out, it does not expire.',
          '2030-12-31T23:00:00.000Z',
        ),
      ),
    ),
  },
  { examples: [{ memberId: exampleIds.member, expiresAt: '2099-12-31T23:00:00.000Z' }] },
);
export type AddAccessGroupMember = Static<typeof AddAccessGroupMember>;

export const UpdateMembership = request(
  'UpdateMembership',
  {
    expiresAt: nullable(
      dateTime(
        'When the membership expires, a time in the future, as for a new membership; null if it does not.',
        '2030-12-31T23:00:00.000Z',
      ),
    ),
  },
  { examples: [{ expiresAt: '2099-12-31T23:00:00.000Z' }] },
);
export type UpdateMembership = Static<typeof UpdateMembership>;

const memberships = new Resource({
  tag: 'Memberships',
  name: 'membership',
  read: 'access-groups:read',
  write: 'access-groups:write',
});

export const membershipOperations = named({
  listAccessGroupMembers: memberships.list({
    path: '/access-groups/{groupId}/members',
    summary: 'List the members of an access group',
    description: 'The members with a current membership, newest member first.',
    returns: GroupMember,
    success: 'A page of members.',
  }),
  addAccessGroupMember: memberships.create({
    path: '/access-groups/{groupId}/members',
    summary: 'Add a member to a custom access group',
    description: 'The member must already exist. Scope groups are rejected.',
    body: AddAccessGroupMember,
    returns: MemberWithGroups,
    success: 'The member with all access groups. `Location` is the URL of the membership.',
    headers: ['Location'],
    errors: ['scope_group_read_only', 'member_not_found', 'already_in_group'],
  }),
  listMemberships: memberships.list({
    path: '/access-groups/{groupId}/memberships',
    summary: 'List the memberships of an access group',
    description:
      'The start, end and source of each membership, in the same order as the list of members. A cursor of one list ' +
      'works in the other.',
    returns: Membership,
  }),
  getMembership: memberships.get({
    path: '/access-groups/{groupId}/members/{memberId}',
    summary: 'Get a membership',
    description: 'The start, end and source of a membership.',
    returns: Membership,
    notFound: ['membership_not_found'],
  }),
  updateMembership: memberships.update({
    path: '/access-groups/{groupId}/members/{memberId}',
    summary: 'Change when a membership ends',
    description: 'The membership continues without interruption. Scope groups are rejected.',
    body: UpdateMembership,
    returns: Membership,
    notFound: ['access_group_not_found', 'membership_not_found'],
    errors: ['scope_group_read_only'],
  }),
  removeAccessGroupMember: memberships.delete({
    path: '/access-groups/{groupId}/members/{memberId}',
    summary: 'Remove a member from a custom access group',
    description: 'Ends the membership; the member and the group remain. Scope groups are rejected.',
    success: 'The membership has ended.',
    notFound: ['access_group_not_found', 'membership_not_found'],
    errors: ['scope_group_read_only'],
  }),
});
