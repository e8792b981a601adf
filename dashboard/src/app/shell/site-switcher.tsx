import { Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { IconCheck, IconPlus, IconSelector, IconWorld } from '../../components/icons/icons.ts';
import { Dialog } from '../../components/layout/dialog.tsx';
import { useMenuTarget } from '../../hooks/use-menu-target.ts';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { useFramedSite } from '../../session/last-site.ts';
import { useMe } from '../../session/me.ts';
import icon from '../icon.svg';
import classes from './site-switcher.module.css';

/** The title of the site, and a menu with the operator's other sites. */
export function SiteSwitcher() {
  const t = useTexts('shell');
  const { sites, mayCreateSites } = useMe();
  const [creating, { open, close }] = useDisclosure();
  // Loaded before the dialog opens, because the dialog moves the focus into it.
  const [code, setCode] = useState<typeof import('./new-site-form.tsx')>();
  function create(): void {
    import('./new-site-form.tsx').then(setCode).then(open, showFailure);
  }
  usePageCommand('new-site', create);
  const menu = useMenuTarget();
  const current = useFramedSite();
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            ref={menu.target}
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
            <SiteItem key={site.id} site={site} isCurrent={site === current} />
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconWorld size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/sites" {...props} />}
          >
            {t('allSites')}
          </Menu.Item>
          {mayCreateSites && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={menu.act(create)}>
              {t('newSite')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={creating} onClose={close} title={t('newSite')}>
        {code && <code.NewSiteForm close={close} />}
      </Dialog>
    </>
  );
}

function SiteItem({ site: { slug, title, domain }, isCurrent }: { site: OperatedSite; isCurrent: boolean }) {
  const t = useTexts('shell');
  return (
    <Menu.Item
      renderRoot={(props) => <Link to="/$site" params={{ site: slug }} {...props} />}
      rightSection={isCurrent && <IconCheck size={16} aria-label={t('currentSite')} />}
    >
      <Text fw={500} truncate>
        {title}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {domain ?? slug}
      </Text>
    </Menu.Item>
  );
}
