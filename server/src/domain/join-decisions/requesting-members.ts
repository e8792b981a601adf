import type { Member } from '@gatehouse/contract';
import { idsOf } from '../../base/ids.ts';
import type { Change } from '../events/change.ts';
import type { StoredJoinRequest } from '../join-requests/join-request.ts';
import { lockMembers, lookUpMembersByEmail } from '../members/member-lookup.ts';

/** Locks the members who ask, those with the addresses of the others too. Returns them by request. */
export async function lockRequestingMembers(
  change: Change,
  requests: readonly StoredJoinRequest[],
): Promise<Map<string, Member>> {
  const emails = requests.map(({ email }) => email);
  const found = await lookUpMembersByEmail(change, emails);
  const known = requests.map(({ memberId }) => memberId).filter((id) => id !== null);
  const locked = await lockMembers(change, [...idsOf(found), ...known]);
  const byId = new Map(locked.map((member) => [member.id, member]));
  const byEmail = new Map(locked.map((member) => [member.email, member]));
  return new Map(
    requests.flatMap(({ id, email, memberId }) => {
      const member = byId.get(memberId ?? '') ?? byEmail.get(email);
      return member ? [[id, member] as const] : [];
    }),
  );
}

/** Requests with the addresses that the members among those who ask have now. Nothing is sent to a former address. */
export function withPresentAddresses(
  requests: readonly StoredJoinRequest[],
  members: ReadonlyMap<string, Member>,
): StoredJoinRequest[] {
  return requests.map((request) => ({ ...request, email: members.get(request.id)?.email ?? request.email }));
}
