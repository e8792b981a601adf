import type { EventType } from '@gatehouse/client';
import type { Icon } from '../icons/icon.tsx';
import {
  IconActivity,
  IconAlertTriangle,
  IconCalendar,
  IconCircleMinus,
  IconCirclePlus,
  IconClockOff,
  IconFolderCog,
  IconFolderMinus,
  IconFolderPlus,
  IconKey,
  IconLock,
  IconLockOpen2,
  IconLogin2,
  IconLogout,
  IconMail,
  IconMailPause,
  IconPlug,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconRoute,
  IconSettings,
  IconShieldCog,
  IconShieldMinus,
  IconShieldPlus,
  IconUserEdit,
  IconUserMinus,
  IconUserPlus,
  IconWorldPlus,
} from '../icons/icons.ts';

const icons: Readonly<Record<EventType, Icon>> = {
  'member.created': IconUserPlus,
  'member.updated': IconUserEdit,
  'member.deleted': IconUserMinus,
  'member.blocked': IconLock,
  'member.unblocked': IconLockOpen2,
  'access-group.created': IconFolderPlus,
  'access-group.updated': IconFolderCog,
  'access-group.deleted': IconFolderMinus,
  'access-group.member.added': IconCirclePlus,
  'access-group.member.updated': IconCalendar,
  'access-group.member.removed': IconCircleMinus,
  'access-group.member.expired': IconClockOff,
  'key.created': IconKey,
  'key.rotated': IconKey,
  'key.revoked': IconKey,
  'signing-key.created': IconKey,
  'operator.invited': IconShieldPlus,
  'operator.updated': IconShieldCog,
  'operator.removed': IconShieldMinus,
  'operator.login': IconLogin2,
  'site.created': IconWorldPlus,
  'site.updated': IconSettings,
  'member.login': IconLogin2,
  'login-link.created': IconMail,
  'session.revoked': IconLogout,
  'session.evicted': IconLogout,
  'access-token.created': IconKey,
  'access-token.deleted': IconKey,
  'access-rules.updated': IconRoute,
  'source.created': IconPlugConnected,
  'source.updated': IconPlug,
  'source.deleted': IconPlugConnectedX,
  'source.synced': IconRefresh,
  'source.failed': IconAlertTriangle,
  'email-budget.exhausted': IconMailPause,
};

/** All event types known to the dashboard, in the order of the filter. */
export const eventTypes = Object.keys(icons) as readonly EventType[];

/** The icon of an event type; a generic one for a type that this version does not know. */
export function eventIcon(type: string): Icon {
  return (icons as Readonly<Record<string, Icon>>)[type] ?? IconActivity;
}
