import type { Actor, ActorType, Permission } from '@gatehouse/contract';
import { grants, permissions, rolePermissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { findKeyInForce } from '../api-keys/api-keys.ts';
import { selectOperatorRole } from './maker-store.ts';

/** Who made an invitation or changed it last. It gives no more than they could give themselves. */
export interface Maker {
  readonly makerType: ActorType;
  /** The API key or operator; null for the command line and for Gatehouse itself. */
  readonly makerId: string | null;
}

export function makerOf({ type, id }: Actor): Maker {
  return { makerType: type, makerId: id };
}

/** What one needs to invite people. */
function invitingPermissions(groupIds: readonly string[]): Permission[] {
  const needed: Permission[] = ['invitations:write', 'members:write'];
  return groupIds.length === 0 ? needed : [...needed, 'access-groups:write'];
}

/** Whether the maker still exists, with the rights that the invitation needs. */
export async function mayStillInvite(
  view: SiteView,
  maker: Maker,
  groupIds: readonly string[],
): Promise<boolean> {
  return mayInvite(await findPermissions(view, maker), groupIds);
}

/** Whether some permissions suffice to invite people to some groups. */
export function mayInvite(granted: readonly Permission[], groupIds: readonly string[]): boolean {
  return invitingPermissions(groupIds).every((permission) => grants(granted, permission));
}

/** @throws {ApiError} `permission_denied` */
export async function requireInviter(
  view: SiteView,
  maker: Maker,
  groupIds: readonly string[],
): Promise<void> {
  if (await mayStillInvite(view, maker, groupIds)) return;
  throw new ApiError(
    'permission_denied',
    `To invite people like this, you need all of these permissions: ${invitingPermissions(groupIds).join(', ')}.`,
  );
}

async function findPermissions(
  view: SiteView,
  { makerType, makerId }: Maker,
): Promise<readonly Permission[]> {
  if (makerId === null) return makerType === 'operator' || makerType === 'system' ? permissions : [];
  if (makerType === 'key') return (await findKeyInForce(view, makerId))?.permissions ?? [];
  const role = makerType === 'operator' ? await selectOperatorRole(view, makerId) : undefined;
  return role === undefined ? [] : rolePermissions[role];
}
