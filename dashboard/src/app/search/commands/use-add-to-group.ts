import type { AccessGroup } from '@gatehouse/client';
import { notifications } from '@mantine/notifications';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { useUndoable } from '../../../hooks/use-undoable.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { siteKeys } from '../../../queries/keys.ts';
import type { OperatedSite } from '../../../session/dashboard-api.ts';
import { siteSession } from '../../../session/site-session.ts';

/** Adds a member to a group without an end, and offers to undo it. Who is already in it keeps that membership. */
export function useAddToGroup(site: OperatedSite | undefined) {
  const t = useTexts('search');
  const change = useUndoable();
  return async (member: { id: string; name: string }, group: AccessGroup): Promise<void> => {
    if (!site) return;
    const { gatehouse } = siteSession(site);
    const keys = siteKeys(site.id);
    const values = { name: member.name, group: group.name };
    try {
      const [found] = await gatehouse.members.lookUp({ memberIds: [member.id] });
      if (found?.accessGroups.some(({ id }) => id === group.id)) {
        notifications.show({ message: t('alreadyAdded', values) });
        return;
      }
    } catch (error) {
      showFailure(error);
      return;
    }
    await change({
      done: t('added', values),
      send: () => gatehouse.accessGroups.members.add(group.id, { memberId: member.id, expiresAt: null }),
      undo: () => gatehouse.accessGroups.members.remove(group.id, member.id),
      invalidates: [...keys.affectedByMembers, keys.memberships.of(member.id)],
    });
  };
}
