import { Badge, NavLink, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { usePendingJoinRequests } from '../../queries/ways-in/join-requests.ts';
import { useMe } from '../../session/me.ts';
import { usePermissions } from '../../session/use-permissions.ts';
import classes from './navigation.module.css';
import { navigation } from './navigation-items.ts';

/** The pages of a site that the operator's role can use. */
export function Navigation({ site }: { site: string }) {
  const t = useTexts('shell');
  const permissions = usePermissions(site);
  const groups = navigation
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ permission }) => permissions.includes(permission)),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <Stack component="nav" gap="md" aria-label={t('navigation')}>
      {groups.map(({ title, items }) => (
        <div key={title ?? ''}>
          {title && <Text className={classes.title}>{t(title)}</Text>}
          {items.map(({ name, to, icon: Icon }) => (
            <NavLink
              key={name}
              className={classes.link!}
              label={t(name)}
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              rightSection={name === 'join-requests' && <PendingCount site={site} />}
              renderRoot={(props) => (
                <Link to={to} params={{ site }} activeOptions={{ exact: to === '/$site' }} {...props} />
              )}
            />
          ))}
        </div>
      ))}
    </Stack>
  );
}

/** How many requests to join wait for a decision. */
function PendingCount({ site: slug }: { site: string }) {
  const t = useTexts('shell');
  const site = useMe().sites.find((each) => each.slug === slug);
  const count = usePendingJoinRequests(site, usePermissions(slug).includes('site:read'));
  if (!count) return null;
  return (
    <Badge size="sm" variant="filled" circle={count < 10}>
      <span aria-hidden>{count}</span>
      <VisuallyHidden>{t('pendingRequests', { count })}</VisuallyHidden>
    </Badge>
  );
}
