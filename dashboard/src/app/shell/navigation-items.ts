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
  IconTicket,
  IconUserQuestion,
  IconUsers,
  IconWebhook,
} from '../../components/icons/icons.ts';

/** A page of a site, as listed in the navigation and the search. */
interface NavigationItem {
  readonly name: PageName;
  readonly to: '/$site' | `/$site/${Exclude<PageName, 'overview'>}`;
  readonly icon: Icon;
  /** The permission without which the page is useless. */
  readonly permission: Permission;
}

export type PageName =
  | 'overview'
  | 'members'
  | 'invitations'
  | 'join-requests'
  | 'groups'
  | 'sources'
  | 'rules'
  | 'events'
  | 'emails'
  | 'keys'
  | 'webhooks'
  | 'operators'
  | 'settings';

/** The navigation, by section. */
export const navigation = [
  { title: null, items: [item('overview', IconLayoutDashboard, 'site:read')] },
  {
    title: 'membersAndAccess',
    items: [
      item('members', IconUsers, 'members:read'),
      item('invitations', IconTicket, 'invitations:read'),
      item('join-requests', IconUserQuestion, 'join-requests:read'),
      item('groups', IconFolders, 'access-groups:read'),
      item('sources', IconPlugConnected, 'sources:read'),
      item('rules', IconRoute, 'site:read'),
    ],
  },
  {
    title: 'logs',
    items: [item('events', IconActivity, 'events:read'), item('emails', IconMail, 'emails:read')],
  },
  {
    title: 'administration',
    items: [
      item('keys', IconKey, 'api-keys:read'),
      item('webhooks', IconWebhook, 'webhooks:read'),
      item('operators', IconShieldLock, 'operators:read'),
      item('settings', IconSettings, 'site:read'),
    ],
  },
] as const;

/** All pages of the navigation. */
export const navigationItems: readonly NavigationItem[] = navigation.flatMap(({ items }) => [...items]);

function item(name: PageName, icon: Icon, permission: Permission): NavigationItem {
  return { name, to: name === 'overview' ? '/$site' : `/$site/${name}`, icon, permission };
}
