import type { Permission } from '@gatehouse/client';
import {
  type Icon,
  IconActivity,
  IconFolders,
  IconKey,
  IconLayoutDashboard,
  IconMail,
  IconRoute,
  IconSettings,
  IconShieldLock,
  IconUsers,
} from '@tabler/icons-react';

/** A page of a site, as the navigation and the search name it. */
export interface Place {
  name: 'overview' | 'members' | 'groups' | 'rules' | 'events' | 'mails' | 'keys' | 'operators' | 'settings';
  to:
    | '/$site'
    | '/$site/members'
    | '/$site/groups'
    | '/$site/rules'
    | '/$site/events'
    | '/$site/mails'
    | '/$site/keys'
    | '/$site/operators'
    | '/$site/settings';
  icon: Icon;
  /** What the role has to allow for the page to be of use. */
  permission: Permission;
}

const overview: Place = {
  name: 'overview',
  to: '/$site',
  icon: IconLayoutDashboard,
  permission: 'site:read',
};
const members: Place = { name: 'members', to: '/$site/members', icon: IconUsers, permission: 'members:read' };
const groups: Place = {
  name: 'groups',
  to: '/$site/groups',
  icon: IconFolders,
  permission: 'access-groups:read',
};
const rules: Place = { name: 'rules', to: '/$site/rules', icon: IconRoute, permission: 'site:read' };
const events: Place = { name: 'events', to: '/$site/events', icon: IconActivity, permission: 'events:read' };
const mails: Place = { name: 'mails', to: '/$site/mails', icon: IconMail, permission: 'mails:read' };
const keys: Place = { name: 'keys', to: '/$site/keys', icon: IconKey, permission: 'api-keys:read' };
const operators: Place = {
  name: 'operators',
  to: '/$site/operators',
  icon: IconShieldLock,
  permission: 'operators:read',
};
const settings: Place = {
  name: 'settings',
  to: '/$site/settings',
  icon: IconSettings,
  permission: 'site:read',
};

/** The navigation, in its groups. */
export const navigation: readonly {
  title: 'people' | 'activity' | 'set-up' | null;
  places: readonly Place[];
}[] = [
  { title: null, places: [overview] },
  { title: 'people', places: [members, groups, rules] },
  { title: 'activity', places: [events, mails] },
  { title: 'set-up', places: [keys, operators, settings] },
];

/** Every page of the navigation. */
export const places: readonly Place[] = navigation.flatMap(({ places }) => places);
