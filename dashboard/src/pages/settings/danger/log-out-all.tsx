import { useMutation } from '@tanstack/react-query';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { useConfirm } from '../../../hooks/use-confirm.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';

/** Ends the sessions of all members after a question, and says how many there were. */
export function LogOutAll() {
  const t = useTexts('settings');
  const { gatehouse, keys, client } = useSiteApi();
  const confirm = useConfirm();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => gatehouse.sessions.revokeAll(),
    onSuccess: () =>
      Promise.all(keys.affectedByMembers.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });

  async function start(): Promise<void> {
    const question = { title: t('logOutAllTitle'), children: t('logOutAllText'), confirm: t('logOutAll') };
    if (await confirm(question)) mutate();
  }

  return (
    <Section
      title={t('logOutAll')}
      description={t('logOutAllHelp')}
      action={
        <ActionButton
          label={t('logOutAll')}
          variant="filled"
          color="red"
          size="xs"
          loading={isPending}
          onClick={start}
        />
      }
    >
      <div role="status">
        {data && <Notice state="good">{t('loggedOutAll', { count: data.count })}</Notice>}
      </div>
      {error && <ErrorNote error={error} />}
    </Section>
  );
}
