import { NavLink, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { latePart } from '../../components/late-part.ts';
import { useTexts } from '../../languages/texts.tsx';
import { usePermissions } from '../../session/use-permissions.ts';
import classes from './navigation.module.css';
import { navigation } from './navigation-items.ts';

/** Loaded after the first page. */
const PendingCount = latePart(async () => (await import('./pending-count.tsx')).PendingCount);

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
              rightSection={
                name === 'join-requests' && (
                  <Suspense>
                    <PendingCount site={site} />
                  </Suspense>
                )
              }
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
