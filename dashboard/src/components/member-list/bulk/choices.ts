import type { Permission } from '@gatehouse/client';
import { usePermissionsOfSite } from '../../../session/site.ts';
import type { Icon } from '../../icons/icon.tsx';
import {
  IconCalendar,
  IconCoin,
  IconCoinOff,
  IconDownload,
  IconFolderMinus,
  IconFolderPlus,
  IconLock,
  IconLockOpen2,
  IconMail,
  IconTicket,
  IconTrash,
  IconUserMinus,
} from '../../icons/icons.ts';

/** An action for the selected members. */
export interface Choice {
  name:
    | 'changeEnds'
    | 'removeHere'
    | 'addToGroup'
    | 'removeFromGroup'
    | 'block'
    | 'unblock'
    | 'sendLink'
    | 'invite'
    | 'markPaid'
    | 'markUnpaid'
    | 'export'
    | 'delete';
  icon: Icon;
  permissions: readonly Permission[];
  /** Whether it is only for the members of one group, or only for those of the site. */
  of?: 'group' | 'site';
  /** Where it has its own button if there is enough space. */
  prominent?: 'group' | 'site';
  danger?: boolean;
}

const choices: readonly Choice[] = [
  { name: 'changeEnds', icon: IconCalendar, permissions: ['access-groups:write'], prominent: 'group' },
  {
    name: 'removeHere',
    icon: IconUserMinus,
    permissions: ['access-groups:write'],
    of: 'group',
    prominent: 'group',
  },
  { name: 'addToGroup', icon: IconFolderPlus, permissions: ['access-groups:write'], prominent: 'site' },
  { name: 'removeFromGroup', icon: IconFolderMinus, permissions: ['access-groups:write'], of: 'site' },
  { name: 'block', icon: IconLock, permissions: ['members:block'], prominent: 'site' },
  { name: 'unblock', icon: IconLockOpen2, permissions: ['members:block'] },
  { name: 'sendLink', icon: IconMail, permissions: ['login-links:send'], prominent: 'site' },
  { name: 'invite', icon: IconTicket, permissions: ['invitations:write', 'members:write'] },
  { name: 'markPaid', icon: IconCoin, permissions: ['members:write'] },
  { name: 'markUnpaid', icon: IconCoinOff, permissions: ['members:write'] },
  { name: 'export', icon: IconDownload, permissions: ['members:read'] },
  { name: 'delete', icon: IconTrash, permissions: ['members:write'], danger: true },
];

/**
 * The actions that the operator may take: on members of the site, or of a group whose members can be changed.
 * @param isAboutGroup whether the list is filtered by a group or by ends, so that these are probably what is changed
 */
export function useChoices(
  isOfGroup: boolean,
  isAboutGroup: boolean,
): { all: Choice[]; prominent: Choice[] } {
  const permissions = usePermissionsOfSite();
  const place = isOfGroup ? 'group' : 'site';
  const all = choices.filter(
    ({ permissions: needed, of = place }) =>
      of === place && needed.every((each) => permissions.includes(each)),
  );
  return {
    all,
    prominent: all.filter(
      ({ name, prominent }) => prominent === place || (name === 'changeEnds' && isAboutGroup),
    ),
  };
}
