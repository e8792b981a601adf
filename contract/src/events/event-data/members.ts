import { Type } from 'typebox';
import { memberSummaryProperties } from '../../members/member.ts';
import { Change, changes, data, memberId } from './shared.ts';

const memberCreated = data('MemberCreatedData', {
  member: Type.Object(memberSummaryProperties, { description: 'The member as created.' }),
});
const memberUpdated = data('MemberUpdatedData', { memberId, changes });
const memberStatusChanged = data('MemberStatusChangedData', {
  memberId,
  changes: Type.Array(Change, {
    description: 'The change of `status`.',
    examples: [[{ field: 'status', from: 'active', to: 'blocked' }]],
  }),
});
const memberDeleted = data('MemberDeletedData', { memberId });

/** The data of events about members, by event type. */
export const memberEvents = {
  'member.created': memberCreated,
  'member.updated': memberUpdated,
  'member.deleted': memberDeleted,
  'member.blocked': memberStatusChanged,
  'member.unblocked': memberStatusChanged,
};
