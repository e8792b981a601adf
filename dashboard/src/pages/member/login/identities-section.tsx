import type { MemberWithGroups } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { Hint } from '../../../components/layout/hint.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useGatehouse } from '../../../session/site.ts';
import { useIdentitiesQuery } from '../member-query.ts';
import { CredentialsSection } from './credentials-section.tsx';

/** The accounts at login providers that the member has linked. */
export function IdentitiesSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { identities } = useGatehouse().members;
  return (
    <CredentialsSection
      memberId={member.id}
      title={t('identities')}
      query={useQuery(useIdentitiesQuery(member.id))}
      removeAll={(count) => ({
        label: t('unlinkAll'),
        question: t('unlinkAllTitle', { count }),
        text: t('unlinkText', { count }),
        done: t('allUnlinked'),
        send: () => identities.deleteAll(member.id),
      })}
      row={({ id, providerName, label, createdAt, lastUsedAt }) => {
        const account = `${providerName} · ${label}`;
        return {
          content: (
            <>
              {providerName}
              <Hint size="xs">{label}</Hint>
            </>
          ),
          added: t.rich('identityLinked', { time: <TimeText at={createdAt} /> }),
          used: lastUsedAt
            ? t.rich('identityUsed', { time: <TimeText at={lastUsedAt} /> })
            : t('identityUnused'),
          remove: {
            label: t('unlink'),
            name: t('unlinkOf', { account }),
            question: t('unlinkTitle', { account }),
            text: t('unlinkText', { count: 1 }),
            done: t('unlinked', { account }),
            send: () => identities.delete(member.id, id),
          },
        };
      }}
    />
  );
}
