import type { JoinRequestDecision } from '@gatehouse/contract';
import { idsOf } from '../../base/ids.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { claimJoinRequests } from '../join-requests/join-requests.ts';
import { Decisions } from './decision.ts';
import { DecisionEmails } from './decision-emails.ts';
import { lockRequestingMembers, withPresentAddresses } from './requesting-members.ts';

/** Declines requests to join, with a result for each, in the given order. */
export async function declineJoinRequests(
  change: Change,
  joinRequestIds: readonly string[],
  context: EmailContext,
): Promise<JoinRequestDecision[]> {
  const decisions = await Decisions.begin(change, joinRequestIds);
  const members = await lockRequestingMembers(change, decisions.open);
  const requests = withPresentAddresses(decisions.open, members);
  const emails = await DecisionEmails.charge(change, 'join_request_declined', requests, context);
  const { actor } = change.context;
  const claimed = new Set(await claimJoinRequests(change, idsOf(requests), 'declined', actor));
  const declined = requests.filter(({ id }) => claimed.has(id));
  for (const { id, memberId } of declined) {
    decisions.decide(id, memberId);
    const data = { joinRequestId: id, memberId };
    change.record({ type: 'join-request.declined', data, ...(memberId !== null && { memberId }) });
  }
  await emails.send(declined.map((request) => ({ request, memberId: request.memberId })));
  return decisions.results('declined');
}
