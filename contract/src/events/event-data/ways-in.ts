import { Type } from 'typebox';
import {
  count,
  dateTime,
  exampleIds,
  flag,
  nullable,
  openEnumeration,
  text,
  uuid,
} from '../../shared/schemas.ts';
import { changes, data, memberId } from './shared.ts';

const invitationId = uuid('The invitation.', exampleIds.invitation);
const invitationCreated = data('InvitationCreatedData', {
  invitationId,
  accessGroupIds: Type.Array(uuid('An access group.', exampleIds.group), {
    description: 'The groups that those who join are added to.',
    examples: [[exampleIds.group]],
  }),
  isForAddress: flag('Whether it works for one email address only.', false),
  expiresAt: dateTime('Until when people can join with it.', '2026-02-14T09:30:00.000Z'),
});
const invitationUpdated = data('InvitationUpdatedData', { invitationId, changes });
const invitationSent = data('InvitationSentData', { invitationId });
const invitationRevoked = data('InvitationRevokedData', {
  invitationId,
  reason: openEnumeration(
    ['request', 'maker_removed'] as const,
    '`request`: somebody revoked it. `maker_removed`: the API key or operator that made it was revoked or removed.',
    'request',
  ),
});
const invitationRedeemed = data('InvitationRedeemedData', {
  invitationId,
  memberId,
  isNewMember: flag('Whether the person became a member by it.', true),
});
const joinRequestId = uuid('The request to join.', exampleIds.joinRequest);
const requestingMemberId = nullable(
  uuid('The member with the email address of the request; null if there is none.', exampleIds.member),
);
const joinRequestCreated = data('JoinRequestCreatedData', {
  joinRequestId,
  memberId: requestingMemberId,
  path: nullable(text('The path from which the person came; null if none is known.', '/courses/rowing')),
});
const joinRequestApproved = data('JoinRequestApprovedData', { joinRequestId, memberId });
const joinRequestDeclined = data('JoinRequestDeclinedData', { joinRequestId, memberId: requestingMemberId });
const pageCodeId = uuid('The page code.', exampleIds.pageCode);
const label = text('Its label.', 'Class 7b');
const pageCodeCreated = data('PageCodeCreatedData', { pageCodeId, label });
const pageCodeUpdated = data('PageCodeUpdatedData', { pageCodeId, changes });
const pageCodeRevoked = data('PageCodeRevokedData', { pageCodeId, label });
const pageCodeUsed = data('PageCodeUsedData', {
  pageCodeId,
  label,
  usedCount: count('How many times it had been entered by then. Recorded once an hour at most.', 24),
});
const pageCodePaused = data('PageCodePausedData', {
  until: dateTime('Until when chosen page codes are not accepted.', '2026-01-31T10:30:00.000Z'),
});
const providerId = uuid('The login provider.', exampleIds.loginProvider);
const providerName = text('Its name.', 'Club account');
const loginProviderCreated = data('LoginProviderCreatedData', {
  providerId,
  name: providerName,
  issuer: text('Its issuer.', 'https://id.example.org'),
});
const loginProviderUpdated = data('LoginProviderUpdatedData', { providerId, name: providerName, changes });
const loginProviderDeleted = data('LoginProviderDeletedData', { providerId, name: providerName });

/** The data of events about invitations, requests to join, page codes and login providers, by event type. */
export const wayInEvents = {
  'invitation.created': invitationCreated,
  'invitation.updated': invitationUpdated,
  'invitation.sent': invitationSent,
  'invitation.redeemed': invitationRedeemed,
  'invitation.revoked': invitationRevoked,
  'join-request.created': joinRequestCreated,
  'join-request.approved': joinRequestApproved,
  'join-request.declined': joinRequestDeclined,
  'page-code.created': pageCodeCreated,
  'page-code.updated': pageCodeUpdated,
  'page-code.used': pageCodeUsed,
  'page-code.revoked': pageCodeRevoked,
  'page-code.paused': pageCodePaused,
  'login-provider.created': loginProviderCreated,
  'login-provider.updated': loginProviderUpdated,
  'login-provider.deleted': loginProviderDeleted,
};
