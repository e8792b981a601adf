import type { MemberWithGroups } from '@gatehouse/client';
import { useMemberChange } from '../../../components/members/use-member-change.ts';
import { useConfirm } from '../../../hooks/use-confirm.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSessionsQuery } from '../member-query.ts';

/** Blocks and unblocks the member. With `alwaysConfirms`, a member without sessions is blocked only after confirmation too. */
export function useBlocking(
  member: MemberWithGroups,
): (toBlocked: boolean, alwaysConfirms?: boolean) => Promise<void> {
  const t = useTexts('member');
  const { gatehouse, client } = useSiteApi();
  const change = useMemberChange(member.id);
  const confirm = useConfirm();
  const sessionsQuery = useSessionsQuery(member.id);
  const name = member.displayName ?? member.email;

  /** Members with active sessions are blocked only after confirmation, because undo does not restore the sessions. */
  async function mayBlock(alwaysConfirms: boolean): Promise<boolean> {
    const sessions = await client.fetchQuery({ ...sessionsQuery, staleTime: 0 }).catch(() => []);
    if (sessions.length === 0 && !alwaysConfirms) return true;
    return confirm({
      title: t('blockTitle', { name }),
      children: sessions.length > 0 ? t('blockText', { name, count: sessions.length }) : t('isBlockedText'),
      confirm: t('block'),
    });
  }

  return async (toBlocked, alwaysConfirms = false) => {
    if (toBlocked && !(await mayBlock(alwaysConfirms))) return;
    const block = () => gatehouse.members.block(member.id);
    const unblock = () => gatehouse.members.unblock(member.id);
    await change({
      done: t(toBlocked ? 'nowBlocked' : 'nowUnblocked', { name }),
      send: toBlocked ? block : unblock,
      undo: toBlocked ? unblock : block,
      becomes: { status: toBlocked ? 'blocked' : 'active' },
    });
  };
}
