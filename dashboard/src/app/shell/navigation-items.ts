import type { Permission } from '@gatehouse/client';
import type { Icon } from '../../components/icons/icon.tsx';
import {
  IconActivity,
  IconFolders,
  IconKey,
  IconLayoutDashboard,
  IconMail,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconShieldLock,
  IconUsers,
  IconWebhook,
} from '../../components/icons/icons.ts';

/** A page of a site, as listed in the navigation and the search. */
export interface NavigationItem {
  name:
    | 'overview'
    | 'members'
    | 'groups'
    | 'sources'
    | 'rules'
    | 'events'
    | 'emails'
    | 'keys'
    | 'webhooks'
    | 'operators'
    | 'settings';
  to:
    | '/$site'
    | '/$site/members'
    | '/$site/groups'
    | '/$site/sources'
    | '/$site/rules'
    | '/$site/events'
    | '/$site/emails'
    | '/$site/keys'
    | '/$site/webhooks'
    | '/$site/operators'
    | '/$site/settings';
  icon: Icon;
  /** The permission without which the page is useless. */
  permission: Permission;
}

const overview: NavigationItem = {
  name: 'overview',
  to: '/$site',
  icon: IconLayoutDashboard,
  permission: 'site:read',
};
const members: NavigationItem = {
  name: 'members',
  to: '/$site/members',
  icon: IconUsers,
  permission: 'members:read',
};
const groups: NavigationItem = {
  name: 'groups',
  to: '/$site/groups',
  icon: IconFolders,
  permission: 'access-groups:read',
};
const sources: NavigationItem = {
  name: 'sources',
  to: '/$site/sources',
  icon: IconPlugConnected,
  permission: 'sources:read',
};
const rules: NavigationItem = { name: 'rules', to: '/$site/rules', icon: IconRoute, permission: 'site:read' };
const events: NavigationItem = {
  name: 'events',
  to: '/$site/events',
  icon: IconActivity,
  permission: 'events:read',
};
const emails: NavigationItem = {
  name: 'emails',
  to: '/$site/emails',
  icon: IconMail,
  permission: 'emails:read',
};
const keys: NavigationItem = { name: 'keys', to: '/$site/keys', icon: IconKey, permission: 'api-keys:read' };
const webhooks: NavigationItem = {
  name: 'webhooks',
  to: '/$site/webhooks',
  icon: IconWebhook,
  permission: 'webhooks:read',
};
const operators: NavigationItem = {
  name: 'operators',
  to: '/$site/operators',
  icon: IconShieldLock,
  permission: 'operators:read',
};
const settings: NavigationItem = {
  name: 'settings',
  to: '/$site/settings',
  icon: IconSettings,
  permission: 'site:read',
};

/** The navigation, by section. */
export const navigation: readonly {
  title: 'membersAndAccess' | 'logs' | 'administration' | null;
  items: readonly NavigationItem[];
}[] = [
  { title: null, items: [overview] },
  { title: 'membersAndAccess', items: [members, groups, sources, rules] },
  { title: 'logs', items: [events, emails] },
  { title: 'administration', items: [keys, webhooks, operators, settings] },
];

/** All pages of the navigation. */
export const navigationItems: readonly NavigationItem[] = navigation.flatMap(({ items }) => items);
