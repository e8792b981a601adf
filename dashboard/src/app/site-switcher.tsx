import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { useCommand } from '../parts/commands.ts';
import { useMe } from '../session/me.ts';
import icon from './icon.svg';
import classes from './site-switcher.module.css';

const NewSiteDialog = lazy(() =>
  import('./new-site.tsx').then(({ NewSiteDialog }) => ({ default: NewSiteDialog })),
);

/** The name of the site, and the way to the operator's other ones. */
export function SiteSwitcher() {
  const t = useTexts('shell');
  const { sites, mayCreateSites } = useMe();
  const [creation, setCreation] = useState<'never' | 'open' | 'closed'>('never');
  useCommand('new-site', () => setCreation('open'));
  const { site: slug } = useParams({ strict: false });
  const current = sites.find((site) => site.slug === slug);
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            className={classes.button!}
            variant="subtle"
            color="gray"
            leftSection={<img src={icon} alt="" width={24} height={24} />}
            rightSection={<IconSelector size={16} aria-hidden />}
          >
            <span className={classes.title}>{current?.title ?? 'Gatehouse'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('sites')}</Menu.Label>
          {sites.map((site) => (
            <Menu.Item
              key={site.id}
              renderRoot={(props) => <Link to="/$site" params={{ site: site.slug }} {...props} />}
              rightSection={site === current && <IconCheck size={16} aria-label={t('currentSite')} />}
            >
              <Text fw={500} truncate>
                {site.title}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {site.domain ?? site.slug}
              </Text>
            </Menu.Item>
          ))}
          {mayCreateSites && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreation('open')}>
                {t('newSite')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {creation !== 'never' && (
        <Suspense>
          <NewSiteDialog opened={creation === 'open'} close={() => setCreation('closed')} />
        </Suspense>
      )}
    </>
  );
}
