import { AppShell, Box, Burger, Container, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ModalsProvider } from '@mantine/modals';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useUndoKey } from '../../components/feedback/undoable-actions.ts';
import { latePart } from '../../components/late-part.ts';
import { PageSkeleton } from '../../components/layout/skeletons.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useFramedSite } from '../../session/last-site.ts';
import { useMe } from '../../session/me.ts';
import { SearchButton } from '../search/search-button.tsx';
import { headerHeight } from '../theme.ts';
import { AccountMenu } from './account-menu.tsx';
import { Banners } from './banners.tsx';
import { HelpLink } from './help-link.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { SiteSwitcher } from './site-switcher.tsx';

// Loaded after the first page.

const Keyboard = latePart(async () => (await import('../keyboard/keyboard.tsx')).Keyboard);

/** Notifications wait until it is loaded. */
const Notifications = latePart(async () => (await import('./notifications.tsx')).Notifications);

const LoggedOutDialog = latePart(async () => (await import('./logged-out-dialog.tsx')).LoggedOutDialog);

const ConfirmLoginDialog = latePart(
  async () => (await import('./confirm-login-dialog.tsx')).ConfirmLoginDialog,
);

const PasskeyNeeded = latePart(async () => (await import('./passkey-needed.tsx')).PasskeyNeeded);

/** The layout around every page. */
export function Shell() {
  const t = useTexts('shell');
  const [opened, { toggle, close }] = useDisclosure();
  const { needsPasskey } = useMe();
  const framed = useFramedSite();
  const site = needsPasskey ? undefined : framed?.slug;
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [pathname, close]);
  useFocusOnPage(pathname);
  useUndoKey();

  return (
    <ModalsProvider>
      <a className={classes.skip} href="#page">
        {t('skip')}
      </a>
      {/* One of the first elements reached with the keyboard. */}
      <section aria-label={t('notifications')}>
        <Suspense>
          <Notifications />
        </Suspense>
      </section>
      <AppShell
        header={{ height: headerHeight }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: site === undefined } }}
        padding={0}
      >
        <AppShell.Header className={classes.header}>
          <Header hasMenu={site !== undefined} opened={opened} toggle={toggle} />
        </AppShell.Header>
        {site !== undefined && (
          <AppShell.Navbar className={classes.navbar} p="sm">
            <Navigation site={site} />
          </AppShell.Navbar>
        )}
        <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
          <Banners />
          <Container size="lg" px={{ base: 'md', sm: 'xl' }} py="lg">
            <Suspense fallback={<PageSkeleton />}>{needsPasskey ? <PasskeyNeeded /> : <Outlet />}</Suspense>
          </Container>
        </AppShell.Main>
      </AppShell>
      <Suspense>
        <Keyboard />
      </Suspense>
      <Suspense>
        <LoggedOutDialog />
      </Suspense>
      <Suspense>
        <ConfirmLoginDialog />
      </Suspense>
    </ModalsProvider>
  );
}

interface HeaderProps {
  /** Whether a small screen has a button for the menu. */
  hasMenu: boolean;
  opened: boolean;
  toggle: () => void;
}

function Header({ hasMenu, opened, toggle }: HeaderProps) {
  const t = useTexts('shell');
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap">
      {hasMenu && (
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
      <HelpLink />
      <AccountMenu />
    </Group>
  );
}

/** Moves the focus to the new page after navigation, for keyboard and screen reader users. */
function useFocusOnPage(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.getElementById('page')?.focus({ preventScroll: true });
  }, [pathname]);
}
