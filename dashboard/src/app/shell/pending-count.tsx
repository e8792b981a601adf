import { Badge, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { usePendingJoinRequests } from '../../queries/ways-in/join-requests.ts';
import { useMe } from '../../session/me.ts';
import { usePermissionsOn } from '../../session/use-permissions-on.ts';

/** How many requests to join wait for a decision. */
export function PendingCount({ site: slug }: { site: string }) {
  const t = useTexts('shell');
  const site = useMe().sites.find((each) => each.slug === slug);
  const count = usePendingJoinRequests(site, usePermissionsOn(slug).includes('site:read'));
  if (!count) return null;
  return (
    <Badge size="sm" variant="light" color="gray" c="var(--mantine-color-text)" circle={count < 10}>
      <span aria-hidden>{count}</span>
      <VisuallyHidden>{t('pendingRequests', { count })}</VisuallyHidden>
    </Badge>
  );
}
