import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { browserName } from '../../parts/browser-name.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useUndoable } from '../../parts/undoable.tsx';
import { dashboardApi, type OperatorSession } from '../../session/dashboard-api.ts';
import { signOut } from '../../session/me.ts';
import { whileSignedIn } from '../../session/signed-out.ts';
import classes from './rows.module.css';

const queryKey = ['me', 'sessions'];

/** The browsers in which the operator is signed in. */
export function Sessions() {
  const t = useTexts('me');
  const confirm = useConfirm();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => whileSignedIn(dashboardApi.sessions),
  });

  async function signOutEverywhere() {
    const sure = await confirm({
      title: t('everywhereTitle'),
      children: t('everywhereText'),
      confirm: t('everywhere'),
    });
    if (sure) await signOut(true).catch(showFailure);
  }

  return (
    <Section
      title={t('sessions')}
      description={t('sessionsHelp')}
      action={
        <Button variant="default" size="xs" onClick={signOutEverywhere}>
          {t('everywhere')}
        </Button>
      }
    >
      {error && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <RowsSkeleton rows={2} />}
      <Stack component="ul" className={classes.rows!} gap={0}>
        {data?.data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </Section>
  );
}

function SessionRow({ session }: { session: OperatorSession }) {
  const t = useTexts('me');
  const change = useUndoable();
  const name = browserName(session.userAgent) || t('unknownBrowser');

  function end() {
    void change({
      done: t('sessionEnded', { name }),
      send: () => whileSignedIn(() => dashboardApi.endSession(session.id)),
      optimistic: [
        {
          queryKey,
          replace: ({ data }: { data: OperatorSession[] }) => ({
            data: data.filter(({ id }) => id !== session.id),
          }),
        },
      ],
      concerns: [queryKey],
    });
  }

  return (
    <Group component="li" justify="space-between" gap="sm">
      <div>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {session.current && <Badge variant="light">{t('thisBrowser')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          {t.rich('sessionUsed', {
            time: <TimeText at={session.lastSeenAt} />,
            address: session.clientAddress ?? t('unknownAddress'),
          })}
        </Text>
      </div>
      {!session.current && (
        <Button variant="default" size="xs" onClick={end} aria-label={t('endSessionOf', { name })}>
          {t('endSession')}
        </Button>
      )}
    </Group>
  );
}
