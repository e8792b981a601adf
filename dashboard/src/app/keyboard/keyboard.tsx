import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import type { Shortcut } from '../../hooks/shortcuts/registered.ts';
import { useShortcuts } from '../../hooks/shortcuts/use-shortcuts.ts';
import { requestPageCommand, usePageCommand } from '../../hooks/use-page-command.ts';
import { loadTexts } from '../../languages/texts.tsx';
import { useFramedSite } from '../../session/last-site.ts';
import { usePermissionsOn } from '../../session/use-permissions-on.ts';
import { useRecentPages } from '../search/recent/use-recent-entries.ts';
import { navigationItems } from '../shell/navigation-items.ts';

/** The shortcuts that work on every page and the sheet that lists all of them. It also remembers the pages for the search. */
export function Keyboard() {
  const site = useFramedSite();
  useRecentPages(site);
  useShortcuts(usePageShortcuts(site?.slug), 'go');
  const [wanted, setWanted] = useState(0);
  const [code, setCode] = useState<typeof import('./shortcut-sheet.tsx')>();
  function open(): void {
    Promise.all([import('./shortcut-sheet.tsx'), loadTexts('shortcuts')])
      .then(([loaded]) => setCode(loaded))
      .then(() => setWanted((times) => times + 1), showFailure);
  }
  usePageCommand('shortcuts', open);
  useShortcuts(
    [
      { keys: '/', name: 'search', run: () => requestPageCommand('search') },
      { keys: '?', name: 'sheet', run: open },
    ],
    'app',
  );
  return code && wanted > 0 && <code.ShortcutSheet wanted={wanted} />;
}

/** Opens a page with `g` and its letter. */
function usePageShortcuts(site: string | undefined): Shortcut[] {
  const navigate = useNavigate();
  const permissions = usePermissionsOn(site);
  const account: Shortcut = { keys: 'g u', name: 'me', run: () => void navigate({ to: '/me' }) };
  if (site === undefined) return [account];
  const pages = navigationItems
    .filter(({ permission }) => permissions.includes(permission))
    .map(({ keys, name, to }) => ({ keys, name, run: () => void navigate({ to, params: { site } }) }));
  return [...pages, account];
}
