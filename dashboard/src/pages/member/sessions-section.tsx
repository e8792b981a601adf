import type { MemberWithGroups, Session } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { browserName } from '../../format/browser-name.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../session/site.ts';
import classes from './member.module.css';
import { useMemberChange, useSessionsQuery } from './member-query.ts';

/** The browsers in which the member is logged in. */
export function SessionsSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const gatehouse = useGatehouse();
  const mayEnd = useMay('members:block');
  const change = useMemberChange(member.id);
  const { data, error, refetch } = useQuery(useSessionsQuery(member.id));

  async function endAll(): Promise<void> {
    const question = { title: t('endAllTitle'), children: t('endAllText'), confirm: t('endAll') };
    await change({
      question,
      done: t('allEnded'),
      send: () => gatehouse.members.sessions.revokeAll(member.id),
    });
  }

  return (
    <Section
      title={t('sessions')}
      action={
        mayEnd &&
        data &&
        data.length > 0 && <ActionButton label={t('endAll')} size="xs" onClick={endAll} ref={passFocusOn} />
      }
    >
      <QueryState query={{ data, error, refetch }} rows={1} />
      {data?.length === 0 && <Text c="dimmed">{t('noSessions')}</Text>}
      <ul className={classes.rows}>
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} mayEnd={mayEnd} />
        ))}
      </ul>
    </Section>
  );
}

function SessionRow({ session, mayEnd }: { session: Session; mayEnd: boolean }) {
  const t = useTexts('member');
  const { sessions } = useGatehouse().members;
  const change = useMemberChange(session.memberId);
  const browser = browserName(session.userAgent) || t('unknownBrowser');
  return (
    <li className={classes.row} ref={passFocusOn}>
      <div className={classes.text}>
        <Text fw={500}>{browser}</Text>
        <Hint size="xs">
          {t.rich('sessionUsed', {
            time: <TimeText at={session.lastSeenAt} />,
            address: session.ipAddress ?? t('unknownAddress'),
          })}
        </Hint>
      </div>
      {mayEnd && (
        <ActionButton
          label={t('endSession')}
          size="xs"
          aria-label={t('endSessionOf', { browser })}
          onClick={() =>
            change({
              done: t('sessionEnded', { browser }),
              send: () => sessions.revoke(session.memberId, session.id),
            })
          }
        />
      )}
    </li>
  );
}
