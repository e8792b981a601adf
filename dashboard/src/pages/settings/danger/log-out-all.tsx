import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { useConfirm } from '../../../hooks/use-confirm.tsx';
import { useSingleFlight } from '../../../hooks/use-single-flight.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { type SiteApi, useSiteApi } from '../../../queries/site-api.ts';
import { loginMethodsQuery } from '../../../queries/ways-in/login-providers.ts';

/** Ends the sessions of all members after a question, and says how many there are and were. */
export function LogOutAll() {
  const t = useTexts('settings');
  const api = useSiteApi();
  const { gatehouse, keys, client } = api;
  const confirm = useConfirm();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => gatehouse.sessions.revokeAll(),
    onSuccess: () =>
      Promise.all(keys.affectedByMembers.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });

  const start = useSingleFlight(async () => {
    const count = await countSessions(api);
    const children = (
      <Stack gap="xs">
        {count !== undefined && <span>{t('sessionsNow', { count })}</span>}
        <span>{t('logOutAllText')}</span>
      </Stack>
    );
    if (await confirm({ title: t('logOutAllTitle'), children, confirm: t('logOutAll') })) mutate();
  });

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

/** How many sessions the members have now; undefined if that cannot be found out. */
async function countSessions(api: SiteApi): Promise<number | undefined> {
  try {
    const { sessions } = await api.client.fetchQuery({
      ...loginMethodsQuery(api),
      staleTime: 0,
      retry: false,
    });
    return Object.values(sessions).reduce((sum, each) => sum + each, 0);
  } catch {
    return undefined;
  }
}
