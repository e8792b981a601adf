import type { MemberWithGroups } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { CopyId } from '../../../components/layout/copy-id.tsx';
import { PageHeader } from '../../../components/layout/page-header.tsx';
import { Initials } from '../../../components/people/initials.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { BackToList } from './back-to-list.tsx';
import { MemberActions } from './member-actions.tsx';
import { MemberTimes } from './member-times.tsx';
import { NeighborButtons } from './neighbor-buttons.tsx';

/** Who the member is, the state, and what can be done with the whole member. */
export function MemberHeader({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { id, displayName, email, status } = member;
  const isBlocked = status === 'blocked';
  const name = displayName ?? displayAddress(email);
  return (
    <PageHeader
      title={name}
      picture={<Initials name={name} id={id} size="lg" />}
      state={
        <StateText state={isBlocked ? 'bad' : 'good'} title={t(isBlocked ? 'isBlockedText' : 'isActiveText')}>
          {t(isBlocked ? 'isBlocked' : 'isActive')}
        </StateText>
      }
      description={
        <>
          <Group gap="xs">
            {displayName !== null && <span>{displayAddress(email)}</span>}
            <CopyId id={id} label={t('copyId')} />
          </Group>
          <MemberTimes member={member} />
        </>
      }
      back={<BackToList />}
      neighbors={<NeighborButtons member={member} />}
      actions={<MemberActions member={member} />}
    />
  );
}
