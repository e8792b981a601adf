import { Type } from 'typebox';
import { AccessGroup } from '../../access-groups/access-groups.ts';
import { dateTime, exampleIds, nullable, text, uuid } from '../../shared/schemas.ts';
import { Change, changes, data, memberId } from './shared.ts';

const groupId = uuid('The access group.', exampleIds.group);
const accessGroupCreated = data('AccessGroupCreatedData', {
  group: Type.Object(
    {
      id: AccessGroup.properties.id,
      name: AccessGroup.properties.name,
      description: AccessGroup.properties.description,
      type: AccessGroup.properties.type,
    },
    { description: 'The access group as created.' },
  ),
});
const accessGroupUpdated = data('AccessGroupUpdatedData', { groupId, changes });
const accessGroupDeleted = data('AccessGroupDeletedData', {
  groupId,
  name: text('The last name of the group.', 'Course 2026'),
});
const membershipChanged = data('MembershipData', {
  groupId,
  memberId,
  expiresAt: Type.Optional(
    nullable(dateTime('When the membership expires; null if it does not.', '2030-12-31T23:00:00.000Z')),
  ),
});
const membershipUpdated = data('MembershipUpdatedData', {
  groupId,
  memberId,
  changes: Type.Array(Change, {
    description: 'The change of `expiresAt`.',
    examples: [[{ field: 'expiresAt', from: null, to: '2030-12-31T23:00:00.000Z' }]],
  }),
});

/** The data of events about access groups and memberships, by event type. */
export const accessGroupEvents = {
  'access-group.created': accessGroupCreated,
  'access-group.updated': accessGroupUpdated,
  'access-group.deleted': accessGroupDeleted,
  'access-group.member.added': membershipChanged,
  'access-group.member.updated': membershipUpdated,
  'access-group.member.removed': membershipChanged,
  'access-group.member.expired': membershipChanged,
};
