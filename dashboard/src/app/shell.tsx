import { AppShell, Box, Burger, Container, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { PageSkeleton } from '../parts/skeletons.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { SearchButton } from './search-button.tsx';
import classes from './shell.module.css';
import { SiteSwitcher } from './site-switcher.tsx';

/** What stands around every page. */
export function Shell() {
  const t = useTexts('shell');
  const [opened, { toggle, close }] = useDisclosure();
  const { site } = useParams({ strict: false });
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [pathname, close]);

  return (
    <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t('close') } }}>
      <a className={classes.skip} href="#page">
        {t('skip')}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: site === undefined } }}
        padding={0}
      >
        <AppShell.Header className={classes.header}>
          <Group h="100%" px="md" gap="sm" wrap="nowrap">
            {site !== undefined && (
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={t(opened ? 'closeMenu' : 'openMenu')}
                aria-expanded={opened}
              />
            )}
            <SiteSwitcher />
            <Box flex={1} />
            <SearchButton />
            <AccountMenu />
          </Group>
        </AppShell.Header>
        {site !== undefined && (
          <AppShell.Navbar className={classes.navbar} p="sm">
            <Navigation site={site} />
          </AppShell.Navbar>
        )}
        <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
          <Container size="lg" px={{ base: 'md', sm: 'xl' }} py="xl">
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          </Container>
        </AppShell.Main>
      </AppShell>
      <Notifications position="bottom-right" />
    </ModalsProvider>
  );
}
