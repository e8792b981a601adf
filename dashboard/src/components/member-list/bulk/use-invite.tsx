import type { Member } from '@gatehouse/client';
import { notifications } from '@mantine/notifications';
import { useConfirm } from '../../../hooks/use-confirm.tsx';
import type { useWatchedTask } from '../../../hooks/use-watched-task.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useEmailWaits } from '../../../queries/overview.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import type { TaskProgress } from '../../feedback/progress-dialog.tsx';
import { inviteMembers, isInvitable } from '../../members/invite-members.ts';
import { FailureList } from './outcome-note.tsx';

/** How long a result without failures is shown. */
const reportMilliseconds = 12_000;

type Task = Pick<ReturnType<typeof useWatchedTask<TaskProgress>>, 'watch' | 'setProgress'>;

/** Invites those of some members who have never logged in, after a question with their number. */
export function useInvite(): (members: readonly Member[], task: Task) => Promise<void> {
  const t = useTexts('members');
  const { gatehouse, keys, client } = useSiteApi();
  const confirm = useConfirm();
  const emailWaits = useEmailWaits();
  return async (members, { watch, setProgress }) => {
    const emails = members.filter(isInvitable).map(({ email }) => email);
    const { length: count } = emails;
    if (count === 0) {
      notifications.show({ message: t('invite.nobody') });
      return;
    }
    const isSure = await confirm({
      title: t('invite.question', { count }),
      children: t('invite.text'),
      confirm: t('invite.confirm', { count }),
      danger: false,
    });
    if (!isSure) return;
    const invited = await watch((signal) => {
      setProgress({ title: t('inProgress'), text: t('invite.progress'), share: null });
      return inviteMembers(gatehouse, emails, signal);
    });
    await client.invalidateQueries({ queryKey: keys.invitations.all });
    if (!invited) return;
    const { failures } = invited;
    notifications.show({
      autoClose: failures.size === 0 ? reportMilliseconds : false,
      message: (
        <>
          {t(emailWaits ? 'invite.waits' : 'invite.done', { count: invited.count })}
          <FailureList failures={failures} />
        </>
      ),
    });
  };
}
