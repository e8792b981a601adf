import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFoundPage } from '../components/feedback/not-found-page.tsx';
import {
  DetailsSkeleton,
  FormSkeleton,
  OverviewSkeleton,
  PageSkeleton,
  TableSkeleton,
} from '../components/layout/skeletons.tsx';
import { readMembersSearch } from '../components/member-list/members-search.ts';
import type { TextArea } from '../languages/areas.ts';
import { readEmailsSearch } from '../pages/emails/emails-search.ts';
import { readEventsSearch } from '../pages/events/events-search.ts';
import { readInvitationsSearch } from '../pages/invitations/invitations-search.ts';
import { readJoinRequestsSearch } from '../pages/join-requests/join-requests-search.ts';
import { readProviderSearch } from '../pages/login-provider-set-up/provider-search.ts';
import { readOverviewSearch } from '../pages/overview/overview-search.ts';
import { readRulesSearch } from '../pages/rules/rules-search.ts';
import { readSetUpSearch } from '../pages/source-set-up/set-up-search.ts';
import { readWebhookSearch } from '../pages/webhook/webhook-search.ts';
import { lastSite } from '../session/last-site.ts';
import { meQuery } from '../session/me.ts';
import { siteSession } from '../session/site-session.ts';
import { ErrorPage } from './error-page.tsx';
import { type LoadPage, lazyPage } from './lazy-page.tsx';
import { queryClient } from './query-client.ts';

import { Shell } from './shell/shell.tsx';
import { SiteFrame } from './site-frame.tsx';

const root = createRootRoute({
  beforeLoad: async () => void (await queryClient.ensureQueryData(meQuery)),
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const { sites, needsPasskey } = await queryClient.ensureQueryData(meQuery);
    // The sites are known only after the login with the passkey, which loads this address again.
    if (needsPasskey) return;
    const site = lastSite(sites);
    throw site ? redirect({ to: '/$site', params: { site: site.slug } }) : redirect({ to: '/me' });
  },
});

const me = createRoute({
  getParentRoute: () => root,
  path: '/me',
  beforeLoad: openFramedSite,
  ...lazyPage(['me', 'shortcuts'], () => import('../pages/me/me-page.tsx'), FormSkeleton),
});

const sites = createRoute({
  getParentRoute: () => root,
  path: '/sites',
  beforeLoad: openFramedSite,
  ...lazyPage(['sites', 'operators'], () => import('../pages/sites/sites-page.tsx'), TableSkeleton),
});

const site = createRoute({
  getParentRoute: () => root,
  path: '/$site',
  loader: async ({ params }) => {
    const { sites } = await queryClient.ensureQueryData(meQuery);
    const site = sites.find(({ slug }) => slug === params.site);
    if (!site) throw notFound();
    await siteSession(site).open();
  },
  component: SiteFrame,
});

/** The route options of every page of a site. Its code and its texts are fetched at the same time, behind its shape. */
function page<Path extends string>(
  path: Path,
  areas: TextArea | readonly TextArea[],
  file: LoadPage,
  shape: ComponentType,
) {
  return { getParentRoute: () => site, path, ...lazyPage(areas, file, shape) };
}

const overview = createRoute({
  ...page('/', 'overview', () => import('../pages/overview/overview-page.tsx'), OverviewSkeleton),
  validateSearch: only(readOverviewSearch),
});
const members = createRoute({
  ...page('/members', 'members', () => import('../pages/members/members-page.tsx'), TableSkeleton),
  validateSearch: only(readMembersSearch),
});
const member = createRoute(
  page(
    '/members/$memberId',
    ['member', 'access'],
    () => import('../pages/member/member-page.tsx'),
    DetailsSkeleton,
  ),
);
const add = createRoute(page('/add', 'add', () => import('../pages/add/add-page.tsx'), FormSkeleton));
const invitations = createRoute({
  ...page(
    '/invitations',
    'invitations',
    () => import('../pages/invitations/invitations-page.tsx'),
    TableSkeleton,
  ),
  validateSearch: only(readInvitationsSearch),
});
const invitation = createRoute(
  page(
    '/invitations/$invitationId',
    'invitations',
    () => import('../pages/invitation/invitation-page.tsx'),
    DetailsSkeleton,
  ),
);
const joinRequests = createRoute({
  ...page(
    '/join-requests',
    'joinRequests',
    () => import('../pages/join-requests/join-requests-page.tsx'),
    TableSkeleton,
  ),
  validateSearch: only(readJoinRequestsSearch),
});
const groups = createRoute(
  page('/groups', 'groups', () => import('../pages/groups/groups-page.tsx'), TableSkeleton),
);
const group = createRoute({
  ...page(
    '/groups/$groupId',
    ['groups', 'members'],
    () => import('../pages/group/group-page.tsx'),
    TableSkeleton,
  ),
  validateSearch: only(readMembersSearch),
});
const sources = createRoute(
  page('/sources', 'sources', () => import('../pages/sources/sources-page.tsx'), TableSkeleton),
);
const sourceSetUp = createRoute({
  ...page('/sources/set-up', 'sources', () => import('../pages/source-set-up/set-up-page.tsx'), FormSkeleton),
  validateSearch: only(readSetUpSearch),
});
const source = createRoute(
  page('/sources/$sourceId', 'sources', () => import('../pages/source/source-page.tsx'), DetailsSkeleton),
);
const rules = createRoute({
  ...page('/rules', ['rules', 'access'], () => import('../pages/rules/rules-page.tsx'), TableSkeleton),
  validateSearch: only(readRulesSearch),
});
const codes = createRoute(
  page(
    '/rules/codes',
    ['codes', 'access'],
    () => import('../pages/rules/codes/codes-page.tsx'),
    TableSkeleton,
  ),
);
const events = createRoute({
  ...page('/events', 'events', () => import('../pages/events/events-page.tsx'), TableSkeleton),
  validateSearch: only(readEventsSearch),
});
const keys = createRoute(page('/keys', 'keys', () => import('../pages/keys/keys-page.tsx'), TableSkeleton));
const webhooks = createRoute(
  page('/webhooks', 'webhooks', () => import('../pages/webhooks/webhooks-page.tsx'), TableSkeleton),
);
const webhook = createRoute({
  ...page(
    '/webhooks/$webhookId',
    'webhooks',
    () => import('../pages/webhook/webhook-page.tsx'),
    DetailsSkeleton,
  ),
  validateSearch: only(readWebhookSearch),
});
const settings = createRoute({
  getParentRoute: () => site,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/$site/settings/$section',
      params: { ...params, section: 'site' },
      replace: true,
    });
  },
});
const settingsSection = createRoute(
  page('/settings/$section', 'settings', () => import('../pages/settings/settings-page.tsx'), FormSkeleton),
);
const loadLogin = () => import('../pages/login-methods/login-pages.ts');
const loginMethods = createRoute(
  page(
    '/settings/login',
    ['login', 'member', 'settings'],
    () => loadLogin().then(({ LoginMethodsPage }) => ({ LoginMethodsPage })),
    TableSkeleton,
  ),
);
const loginProviderSetUp = createRoute({
  ...page(
    '/settings/login/new',
    'login',
    () => loadLogin().then(({ SetUpPage }) => ({ SetUpPage })),
    FormSkeleton,
  ),
  validateSearch: only(readProviderSearch),
});
const loginProvider = createRoute(
  page(
    '/settings/login/$providerId',
    'login',
    () => loadLogin().then(({ ProviderPage }) => ({ ProviderPage })),
    DetailsSkeleton,
  ),
);
const emails = createRoute({
  ...page('/emails', 'emails', () => import('../pages/emails/emails-page.tsx'), TableSkeleton),
  validateSearch: only(readEmailsSearch),
});
const operators = createRoute(
  page('/operators', 'operators', () => import('../pages/operators/operators-page.tsx'), TableSkeleton),
);
/** For those who change the dashboard: no menu has it. */
const design = createRoute(
  page('/design', 'common', () => import('../pages/design/design-page.tsx'), TableSkeleton),
);

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    me,
    sites,
    site.addChildren([
      overview,
      members,
      member,
      add,
      invitations,
      invitation,
      joinRequests,
      groups,
      group,
      sources,
      sourceSetUp,
      source,
      rules,
      codes,
      events,
      keys,
      webhooks,
      webhook,
      settings,
      settingsSection,
      loginMethods,
      loginProviderSetUp,
      loginProvider,
      emails,
      operators,
      design,
    ]),
  ]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** The pages of the account have the navigation of a site, which depends on the role there. Without it, they still open. */
async function openFramedSite(): Promise<void> {
  const site = lastSite((await queryClient.ensureQueryData(meQuery)).sites);
  if (site)
    await siteSession(site)
      .open()
      .catch(() => {});
}

type Parameters = Record<string, unknown>;

/**
 * The search parameters of a page, as it reads them. The router adds what it reads to the parameters of the address, so
 * those that are left out as invalid are set to undefined.
 */
function only<Search extends object>(read: (search: Parameters) => Search) {
  return (search: Parameters): Search => {
    const none = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
    return { ...none, ...read(search) };
  };
}
