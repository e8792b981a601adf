import type { MemberWithGroups } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../../components/state/tag.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useGatehouse } from '../../../session/site.ts';
import { usePasskeysQuery } from '../member-query.ts';
import { CredentialsSection } from './credentials-section.tsx';

/** The passkeys of the member. */
export function PasskeysSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { passkeys } = useGatehouse().members;
  return (
    <CredentialsSection
      memberId={member.id}
      title={t('passkeys')}
      query={useQuery(usePasskeysQuery(member.id))}
      removeAll={(count) => ({
        label: t('removePasskeys'),
        question: t('removePasskeysTitle', { count }),
        text: t('removePasskeyText', { count }),
        done: t('passkeysRemoved'),
        send: () => passkeys.deleteAll(member.id),
      })}
      row={({ id, name, createdAt, lastUsedAt, synced, disabled }) => ({
        content: (
          <Group gap="xs">
            {name}
            {synced && <Tag title={t('passkeySyncedHelp')}>{t('passkeySynced')}</Tag>}
            {disabled && <Tag title={t('passkeyDisabledHelp')}>{t('passkeyDisabled')}</Tag>}
          </Group>
        ),
        added: t.rich('passkeyAdded', { time: <TimeText at={createdAt} /> }),
        used: lastUsedAt ? t.rich('passkeyUsed', { time: <TimeText at={lastUsedAt} /> }) : t('passkeyUnused'),
        remove: {
          label: t('removePasskey'),
          name: t('removePasskeyOf', { name }),
          question: t('removePasskeyTitle', { name }),
          text: t('removePasskeyText', { count: 1 }),
          done: t('passkeyRemoved', { name }),
          send: () => passkeys.delete(member.id, id),
        },
      })}
    />
  );
}
