import type { DecideJoinRequests, JoinRequest, JoinRequestDecision } from '@gatehouse/contract';
import type { EmailContext } from '../../domain/emails/email-composer.ts';
import type { Change } from '../../domain/events/change.ts';
import { findInvitationsById } from '../../domain/invitations/redemption.ts';
import { approveJoinRequests } from '../../domain/join-decisions/approval.ts';
import { declineJoinRequests } from '../../domain/join-decisions/declining.ts';
import { type StoredJoinRequest, toJoinRequest } from '../../domain/join-requests/join-request.ts';
import { findJoinRequest, listJoinRequests } from '../../domain/join-requests/join-requests.ts';
import { lookUpMembersByEmail } from '../../domain/members/member-lookup.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { isFiltered, type OperationHandlers } from '../operation-handler.ts';

export const joinRequestHandlers = {
  listJoinRequests: {
    readsMany: isFiltered,
    handle: async (view, { query }) => {
      const { data, pagination } = await listJoinRequests(view, query);
      return { body: { data: await showJoinRequests(view, data), pagination } };
    },
  },

  getJoinRequest: async (view, { params }) => {
    const stored = await findJoinRequest(view, params.joinRequestId);
    const [request] = await showJoinRequests(view, [stored]);
    return { body: { data: request! } };
  },

  decideJoinRequests: {
    changesMany: true,
    queues: 'emails',
    handle: async ({ change, emails }, { body }) => {
      const data = await decideJoinRequests(change, body, emails);
      return { body: { data, summary: summaryOf(data) } };
    },
  },
} satisfies OperationHandlers;

/** Requests with what members and invitations know of them. */
async function showJoinRequests(
  view: SiteView,
  requests: readonly StoredJoinRequest[],
): Promise<JoinRequest[]> {
  const emails = requests.map(({ email }) => email);
  const invitationIds = requests.map(({ invitationId }) => invitationId).filter((id) => id !== null);
  const [members, invitations] = await Promise.all([
    lookUpMembersByEmail(view, [...new Set(emails)]),
    findInvitationsById(view, [...new Set(invitationIds)]),
  ]);
  const memberIds = new Map(members.map(({ id, email }) => [email, id]));
  const groupIds = new Map(invitations.map((invitation) => [invitation.id, invitation.groupIds]));
  return requests.map((request) => ({
    ...toJoinRequest(request, view.now),
    memberId: request.memberId ?? memberIds.get(request.email) ?? null,
    requestedGroupIds: [...(groupIds.get(request.invitationId ?? '') ?? [])],
  }));
}

function decideJoinRequests(
  change: Change,
  submitted: DecideJoinRequests,
  emails: EmailContext,
): Promise<JoinRequestDecision[]> {
  const { joinRequestIds } = submitted;
  if (submitted.decision === 'decline') return declineJoinRequests(change, joinRequestIds, emails);
  return approveJoinRequests(change, joinRequestIds, submitted, emails);
}

function summaryOf(data: readonly JoinRequestDecision[]) {
  const failed = data.filter(({ status }) => status === 'conflict' || status === 'error').length;
  return { total: data.length, decided: data.length - failed, failed };
}
