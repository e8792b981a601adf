import type { Overview } from '@gatehouse/client';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconUserQuestion } from '../../components/icons/icons.ts';
import { LinkText } from '../../components/layout/links.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** The people who wait for a decision; nothing if there are none, or if the operator may not see them. */
export function JoinRequestsNote({ overview: { pendingJoinRequests } }: { overview: Overview }) {
  const t = useTexts('overview');
  if (!pendingJoinRequests) return null;
  return (
    <Notice state="neutral" icon={IconUserQuestion}>
      <LinkText from="/$site" to="/$site/join-requests" c="inherit" fw={600} underline="always">
        {t('joinRequests', { count: pendingJoinRequests })}
      </LinkText>
    </Notice>
  );
}
