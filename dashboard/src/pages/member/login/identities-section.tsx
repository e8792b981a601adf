import type { Identity, MemberWithGroups } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { List, ListRow } from '../../../components/layout/list.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../../session/site.ts';
import { useIdentitiesQuery, useMemberChange } from '../member-query.ts';

/** The accounts at login providers that the member has linked. Nothing is shown if there are none. */
export function IdentitiesSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { identities } = useGatehouse().members;
  const mayUnlink = useMay('members:block');
  const change = useMemberChange(member.id);
  const { data, error, refetch } = useQuery(useIdentitiesQuery(member.id));
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (!data || data.length === 0) return null;

  async function unlinkAll(count: number): Promise<void> {
    await change({
      question: {
        title: t('unlinkAllTitle', { count }),
        children: t('unlinkText'),
        confirm: t('unlinkAll'),
      },
      done: t('allUnlinked'),
      send: () => identities.deleteAll(member.id),
    });
  }

  return (
    <Section
      title={t('identities')}
      action={
        mayUnlink && <ActionButton label={t('unlinkAll')} size="xs" onClick={() => unlinkAll(data.length)} />
      }
    >
      <List label={t('identities')}>
        {data.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} mayUnlink={mayUnlink} />
        ))}
      </List>
    </Section>
  );
}

function IdentityRow({ identity, mayUnlink }: { identity: Identity; mayUnlink: boolean }) {
  const t = useTexts('member');
  const { identities } = useGatehouse().members;
  const { id, memberId, providerName, label, createdAt, lastUsedAt } = identity;
  const change = useMemberChange(memberId);
  const account = `${providerName} · ${label}`;

  async function unlink(): Promise<void> {
    await change({
      question: {
        title: t('unlinkTitle', { account }),
        children: t('unlinkText'),
        confirm: t('unlink'),
      },
      done: t('unlinked', { account }),
      send: () => identities.delete(memberId, id),
    });
  }

  return (
    <ListRow
      ref={passFocusOn}
      trailing={
        <Hint size="xs">
          {t.rich('identityLinked', { time: <TimeText at={createdAt} /> })}
          {' · '}
          {lastUsedAt === null
            ? t('identityUnused')
            : t.rich('identityUsed', { time: <TimeText at={lastUsedAt} /> })}
        </Hint>
      }
      actions={
        mayUnlink && (
          <ActionButton
            label={t('unlink')}
            size="xs"
            aria-label={t('unlinkOf', { account })}
            onClick={unlink}
          />
        )
      }
    >
      {providerName}
      <Hint size="xs">{label}</Hint>
    </ListRow>
  );
}
