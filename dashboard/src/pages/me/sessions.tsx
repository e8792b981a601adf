import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { browserName } from '../../format/browser-name.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import { useConfirm } from '../../hooks/use-confirm.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { accountKeys } from '../../queries/keys.ts';
import { dashboardApi, type OperatorSession } from '../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../session/logged-out.ts';
import { logOut } from '../../session/me.ts';

const queryKey = accountKeys.sessions;

/** The browsers in which the operator is logged in. */
export function Sessions() {
  const t = useTexts('me');
  const confirm = useConfirm();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => whileLoggedIn(dashboardApi.sessions),
  });

  async function logOutEverywhere() {
    const sure = await confirm({
      title: t('everywhereTitle'),
      children: t('everywhereText'),
      confirm: t('everywhere'),
    });
    if (sure) await logOut(true).catch(showFailure);
  }

  return (
    <Section
      title={t('sessions')}
      description={t('sessionsHelp')}
      action={<ActionButton label={t('everywhere')} size="xs" onClick={logOutEverywhere} />}
    >
      <QueryState query={{ data, error, refetch }} rows={2} />
      {data && (
        <List label={t('sessions')}>
          {data.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </List>
      )}
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
      send: () => whileLoggedIn(() => dashboardApi.endSession(session.id)),
      optimistic: [
        {
          queryKey,
          replace: ({ data }: { data: OperatorSession[] }) => ({
            data: data.filter(({ id }) => id !== session.id),
          }),
        },
      ],
      invalidates: [queryKey],
    });
  }

  return (
    <ListRow
      ref={passFocusOn}
      trailing={t.rich('sessionUsed', {
        time: <TimeText at={session.lastSeenAt} />,
        address: session.ipAddress ?? t('unknownAddress'),
      })}
      actions={
        !session.current && (
          <ActionButton
            label={t('endSession')}
            size="xs"
            onClick={end}
            aria-label={t('endSessionOf', { name })}
          />
        )
      }
    >
      <Group gap="xs">
        <Text fw={500}>{name}</Text>
        {session.current && <Tag>{t('thisBrowser')}</Tag>}
      </Group>
    </ListRow>
  );
}
