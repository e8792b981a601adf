import type { MemberPasskey, MemberWithGroups } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { List, ListRow } from '../../../components/layout/list.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { Tag } from '../../../components/state/tag.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../../session/site.ts';
import { useMemberChange, usePasskeysQuery } from '../member-query.ts';

/** The passkeys of the member. Nothing is shown if there are none, as on most sites. */
export function PasskeysSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { passkeys } = useGatehouse().members;
  const mayRemove = useMay('members:block');
  const change = useMemberChange(member.id);
  const { data, error, refetch } = useQuery(usePasskeysQuery(member.id));
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (!data || data.length === 0) return null;

  async function removeAll(count: number): Promise<void> {
    await change({
      question: {
        title: t('removePasskeysTitle', { count }),
        children: t('removePasskeyText'),
        confirm: t('removePasskeys'),
      },
      done: t('passkeysRemoved'),
      send: () => passkeys.deleteAll(member.id),
    });
  }

  return (
    <Section
      title={t('passkeys')}
      action={
        mayRemove && (
          <ActionButton label={t('removePasskeys')} size="xs" onClick={() => removeAll(data.length)} />
        )
      }
    >
      <List label={t('passkeys')}>
        {data.map((passkey) => (
          <PasskeyRow key={passkey.id} memberId={member.id} passkey={passkey} mayRemove={mayRemove} />
        ))}
      </List>
    </Section>
  );
}

interface PasskeyRowProps {
  memberId: string;
  passkey: MemberPasskey;
  mayRemove: boolean;
}

function PasskeyRow({ memberId, passkey, mayRemove }: PasskeyRowProps) {
  const t = useTexts('member');
  const { passkeys } = useGatehouse().members;
  const change = useMemberChange(memberId);
  const { id, name, createdAt, lastUsedAt, synced, disabled } = passkey;

  async function remove(): Promise<void> {
    await change({
      question: {
        title: t('removePasskeyTitle', { name }),
        children: t('removePasskeyText'),
        confirm: t('removePasskey'),
      },
      done: t('passkeyRemoved', { name }),
      send: () => passkeys.delete(memberId, id),
    });
  }

  return (
    <ListRow
      ref={passFocusOn}
      trailing={
        <Hint size="xs">
          {t.rich('passkeyAdded', { time: <TimeText at={createdAt} /> })}
          {' · '}
          {lastUsedAt === null
            ? t('passkeyUnused')
            : t.rich('passkeyUsed', { time: <TimeText at={lastUsedAt} /> })}
        </Hint>
      }
      actions={
        mayRemove && (
          <ActionButton
            label={t('removePasskey')}
            size="xs"
            aria-label={t('removePasskeyOf', { name })}
            onClick={remove}
          />
        )
      }
    >
      <Group gap="xs">
        {name}
        {synced && <Tag title={t('passkeySyncedHelp')}>{t('passkeySynced')}</Tag>}
        {disabled && <Tag title={t('passkeyDisabledHelp')}>{t('passkeyDisabled')}</Tag>}
      </Group>
    </ListRow>
  );
}
