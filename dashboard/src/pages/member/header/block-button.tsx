import type { MemberWithGroups } from '@gatehouse/client';
import { IconLock, IconLockOpen2 } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useBlocking } from './use-blocking.ts';

/** Blocks the member, or ends that. */
export function BlockButton({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const setBlocked = useBlocking(member);
  const isBlocked = member.status === 'blocked';
  return (
    <ActionButton
      icon={isBlocked ? IconLockOpen2 : IconLock}
      label={t(isBlocked ? 'unblock' : 'block')}
      title={t(isBlocked ? 'isActiveText' : 'isBlockedText')}
      onClick={() => void setBlocked(!isBlocked)}
    />
  );
}
