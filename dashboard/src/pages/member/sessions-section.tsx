import type { MemberWithGroups, Session } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useMemberChange } from '../../components/members/use-member-change.ts';
import { Disclosure } from '../../components/page/disclosure.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { browserName } from '../../format/browser-name.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../session/site.ts';
import { lastSeenIn, useSessionsQuery } from './member-query.ts';

/** The browsers in which the member is logged in: their number, and each of them on request. */
export function SessionsSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const gatehouse = useGatehouse();
  const mayEnd = useMay('members:block');
  const change = useMemberChange(member.id);
  const { data, error, refetch } = useQuery(useSessionsQuery(member.id));
  const lastSeenAt = data && lastSeenIn(data);

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
      {data?.length === 0 && <Hint>{t('noSessions')}</Hint>}
      {data && lastSeenAt && (
        <Disclosure
          title={t('sessionCount', { count: data.length })}
          note={t.rich('lastSeen', { time: <TimeText at={lastSeenAt} /> })}
        >
          <List label={t('sessions')}>
            {data.map((session) => (
              <SessionRow key={session.id} session={session} mayEnd={mayEnd} />
            ))}
          </List>
        </Disclosure>
      )}
    </Section>
  );
}

function SessionRow({ session, mayEnd }: { session: Session; mayEnd: boolean }) {
  const t = useTexts('member');
  const { sessions } = useGatehouse().members;
  const change = useMemberChange(session.memberId);
  const browser = browserName(session.userAgent) || t('unknownBrowser');
  return (
    <ListRow
      ref={passFocusOn}
      trailing={
        <Hint size="xs">
          {t.rich('sessionUsed', {
            time: <TimeText at={session.lastSeenAt} />,
            address: session.ipAddress ?? t('unknownAddress'),
          })}
        </Hint>
      }
      actions={
        mayEnd && (
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
        )
      }
    >
      {browser}
      {session.method && <Hint size="xs">{t(`method.${session.method}`)}</Hint>}
    </ListRow>
  );
}
