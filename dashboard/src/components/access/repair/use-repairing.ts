import type { MemberWithGroups } from '@gatehouse/client';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useGatehouse } from '../../../session/site.ts';
import { useMemberChange } from '../../members/use-member-change.ts';

/** What a repair does to the member. Everything can be undone. */
export function useRepairing(member: MemberWithGroups) {
  const t = useTexts('access');
  const { members, accessGroups } = useGatehouse();
  const change = useMemberChange(member.id);
  const { id, displayName, email, paid } = member;
  const name = displayName ?? displayAddress(email);
  return {
    unblock: () =>
      change({
        done: t('repair.unblocked', { name }),
        send: () => members.unblock(id),
        undo: () => members.block(id),
        becomes: { status: 'active' },
      }),
    markPaid: () =>
      change({
        done: t('repair.markedPaid', { name }),
        send: () => members.update(id, { paid: true }),
        undo: () => members.update(id, { paid: paid ?? false }),
        becomes: { paid: true },
      }),
    /** Resolves to whether the member was added. */
    join: (group: { id: string; name: string }, expiresAt: string | null) =>
      change({
        done: t('repair.added', { name, group: group.name }),
        send: () => accessGroups.members.add(group.id, { memberId: id, expiresAt }),
        undo: () => accessGroups.members.remove(group.id, id),
      }),
  };
}
