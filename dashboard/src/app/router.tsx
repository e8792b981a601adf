import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import type { TextArea } from '../languages/areas.ts';
import { loadTexts } from '../languages/texts.tsx';
import { readEventsSearch } from '../pages/events/events-search.ts';
import { readMailsSearch } from '../pages/mails/mails-search.ts';
import { readMembersSearch } from '../pages/members/members-search.ts';
import { PageSkeleton } from '../parts/skeletons.tsx';
import { lastSite, rememberSite } from '../session/last-site.ts';
import { meQuery } from '../session/me.ts';
import { siteSession } from '../session/site-session.ts';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { queryClient } from './query-client.ts';
import { Shell } from './shell.tsx';
import { SiteFrame } from './site-frame.tsx';

const root = createRootRoute({
  beforeLoad: async () => void (await queryClient.ensureQueryData(meQuery)),
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const { sites } = await queryClient.ensureQueryData(meQuery);
    const site = lastSite(sites);
    throw site ? redirect({ to: '/$site', params: { site: site.slug } }) : redirect({ to: '/me' });
  },
});

const me = createRoute({
  getParentRoute: () => root,
  path: '/me',
  loader: () => loadTexts('me'),
  component: lazyRouteComponent(() => import('../pages/me/me-page.tsx'), 'MePage'),
});

const site = createRoute({
  getParentRoute: () => root,
  path: '/$site',
  loader: async ({ params }) => {
    const { sites } = await queryClient.ensureQueryData(meQuery);
    const site = sites.find(({ slug }) => slug === params.site);
    if (!site) throw notFound();
    rememberSite(site);
    await siteSession(site).open();
  },
  component: SiteFrame,
});

/** What every page of a site has: its own file and its texts, fetched at the same time. */
function page<Path extends string>(path: Path, area: TextArea) {
  return { getParentRoute: () => site, path, loader: async () => void (await loadTexts(area)) };
}

const overview = createRoute({
  ...page('/', 'overview'),
  component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const members = createRoute({
  ...page('/members', 'members'),
  validateSearch: readMembersSearch,
  component: lazyRouteComponent(() => import('../pages/members/members-page.tsx'), 'MembersPage'),
});
const member = createRoute({
  ...page('/members/$memberId', 'member'),
  component: lazyRouteComponent(() => import('../pages/member/member-page.tsx'), 'MemberPage'),
});
const add = createRoute({
  ...page('/add', 'add'),
  component: lazyRouteComponent(() => import('../pages/add/add-page.tsx'), 'AddPage'),
});
const groups = createRoute({
  ...page('/groups', 'groups'),
  component: lazyRouteComponent(() => import('../pages/groups/groups-page.tsx'), 'GroupsPage'),
});
const group = createRoute({
  ...page('/groups/$groupId', 'groups'),
  component: lazyRouteComponent(() => import('../pages/group/group-page.tsx'), 'GroupPage'),
});
const rules = createRoute({
  ...page('/rules', 'rules'),
  component: lazyRouteComponent(() => import('../pages/rules/rules-page.tsx'), 'RulesPage'),
});
const events = createRoute({
  ...page('/events', 'events'),
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
});
const keys = createRoute({
  ...page('/keys', 'keys'),
  component: lazyRouteComponent(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
});
const settings = createRoute({
  ...page('/settings', 'settings'),
  component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});
const mails = createRoute({
  ...page('/mails', 'mails'),
  validateSearch: readMailsSearch,
  component: lazyRouteComponent(() => import('../pages/mails/mails-page.tsx'), 'MailsPage'),
});
const operators = createRoute({
  ...page('/operators', 'operators'),
  component: lazyRouteComponent(() => import('../pages/operators/operators-page.tsx'), 'OperatorsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    me,
    site.addChildren([
      overview,
      members,
      member,
      add,
      groups,
      group,
      rules,
      events,
      keys,
      settings,
      mails,
      operators,
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
