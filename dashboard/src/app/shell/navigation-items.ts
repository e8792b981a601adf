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
  /** The shortcut that opens it. */
  readonly keys: string;
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
  { title: null, items: [item('overview', 'o', IconLayoutDashboard, 'site:read')] },
  {
    title: 'membersAndAccess',
    items: [
      item('members', 'm', IconUsers, 'members:read'),
      item('invitations', 'i', IconTicket, 'invitations:read'),
      item('join-requests', 'j', IconUserQuestion, 'join-requests:read'),
      item('groups', 'g', IconFolders, 'access-groups:read'),
      item('sources', 's', IconPlugConnected, 'sources:read'),
      item('rules', 'r', IconRoute, 'site:read'),
    ],
  },
  {
    title: 'logs',
    items: [item('events', 'a', IconActivity, 'events:read'), item('emails', 'e', IconMail, 'emails:read')],
  },
  {
    title: 'administration',
    items: [
      item('keys', 'k', IconKey, 'api-keys:read'),
      item('webhooks', 'w', IconWebhook, 'webhooks:read'),
      item('operators', 't', IconShieldLock, 'operators:read'),
      item('settings', 'p', IconSettings, 'site:read'),
    ],
  },
] as const;

/** All pages of the navigation. */
export const navigationItems: readonly NavigationItem[] = navigation.flatMap(({ items }) => [...items]);

/** `letter` opens the page after `g`. It is the same in all languages, as in the documentation. */
function item(name: PageName, letter: string, icon: Icon, permission: Permission): NavigationItem {
  const to = name === 'overview' ? '/$site' : (`/$site/${name}` as const);
  return { name, to, keys: `g ${letter}`, icon, permission };
}
