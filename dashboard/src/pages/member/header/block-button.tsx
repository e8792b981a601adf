import type { MemberWithGroups } from '@gatehouse/client';
import { IconLock, IconLockOpen2 } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { usePageCommand } from '../../../hooks/use-page-command.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useBlocking } from './use-blocking.ts';

/** Blocks the member, or ends that. */
export function BlockButton({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const setBlocked = useBlocking(member);
  const isBlocked = member.status === 'blocked';
  // Typed in the search, where Enter alone must not block anybody.
  usePageCommand('block', () => void (isBlocked || setBlocked(true, true)), member.id);
  usePageCommand('unblock', () => void (isBlocked && setBlocked(false)), member.id);
  return (
    <ActionButton
      icon={isBlocked ? IconLockOpen2 : IconLock}
      label={t(isBlocked ? 'unblock' : 'block')}
      title={t(isBlocked ? 'isActiveText' : 'isBlockedText')}
      onClick={() => void setBlocked(!isBlocked)}
    />
  );
}
