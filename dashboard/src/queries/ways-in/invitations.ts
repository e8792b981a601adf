import type {
  BulkCreateInvitations,
  BulkInvitationResultItem,
  Gatehouse,
  Invitation,
  InvitationRedemption,
} from '@gatehouse/client';
import { maxBulkMembers } from '@gatehouse/contract/limits';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { itemsOf, pageByPage } from '../long-lists.ts';
import { useSiteApi } from '../site-api.ts';
import { versionOf } from '../version.ts';

const pageSize = 50;

/** The invitations with a status, or all, newest first, page by page. */
export function useInvitations(status: Invitation['status'] | undefined) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.invitations.list(status),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.invitations.list({ status, after: pageParam, limit: pageSize }, { signal }).page(),
    select: itemsOf<Invitation>,
  });
}

/** One invitation with its version. */
export function useInvitation(invitationId: string) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.invitations.one(invitationId),
    queryFn: ({ signal }) => versionOf(gatehouse.invitations.get(invitationId, { signal })),
  });
}

/** The members who have joined with an invitation, latest first. */
export function useRedemptions(invitationId: string) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.invitations.redemptions(invitationId),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.invitations.redemptions
        .list(invitationId, { after: pageParam, limit: pageSize }, { signal })
        .page(),
    select: itemsOf<InvitationRedemption>,
  });
}

/** Whether there is an invitation for an email address, also one that has ended. */
export function useWasInvited(email: string) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.invitations.ofEmail(email),
    queryFn: async ({ signal }) => {
      const { data } = await gatehouse.invitations.list({ email, limit: 1 }, { signal }).page();
      return data.length > 0;
    },
  });
}

/** Invites each of the addresses. The results are in their order. */
export async function inviteAll(
  { invitations }: Gatehouse,
  { emails, ...invitation }: BulkCreateInvitations,
): Promise<BulkInvitationResultItem[]> {
  const results: BulkInvitationResultItem[] = [];
  for (let at = 0; at < emails.length; at += maxBulkMembers) {
    const some = emails.slice(at, at + maxBulkMembers);
    const { data } = await invitations.bulkCreate({ ...invitation, emails: some });
    results.push(...data);
  }
  return results;
}

/** Sends the active invitation of an address again. */
export async function sendActiveInvitation({ invitations }: Gatehouse, email: string): Promise<void> {
  const { data } = await invitations.list({ email, status: 'active', limit: 1 }).page();
  if (data[0]) await invitations.send(data[0].id);
}
