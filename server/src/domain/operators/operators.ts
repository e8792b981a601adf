import type { Actor, InviteOperator, Operator, OperatorRole, Permission, Site } from '@gatehouse/contract';
import type { OperatedSite } from '@gatehouse/contract/dashboard';
import { permissions as everyPermission, grants, rolePermissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import { deleteEmailsToAddress } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import type { FieldChange } from '../events/event.ts';
import { eraseInvitations } from '../events/events.ts';
import { checkDisplayName, checkEmail } from '../members/member.ts';
import { lockMember, lockMemberByEmail, lookUpMember } from '../members/member-lookup.ts';
import { revokeMemberSessions } from '../members/member-sessions.ts';
import { deleteMember, updateMember } from '../members/members.ts';
import { createMembers } from '../members/new-members.ts';
import { deletePasskeysOf, listPasskeys } from '../passkeys/passkeys.ts';
import { createSite, findSite, lockSite, type NewSite } from '../sites/sites.ts';
import { queueInvitation } from './invitations.ts';
import { operatorActor, toOperator } from './operator.ts';
import {
  deleteRole,
  endSetupTokens,
  hasOtherOwner,
  insertRole,
  type OperatorPosition,
  selectOperator,
  selectOperators,
  selectRolesOfOperator,
  selectSitesOfOperator,
  updateRole,
} from './operator-store.ts';

const listName = 'operators';
const maxOperators = 1_000;

/**
 * Creates another site for an operator who already owns one, and makes the operator its owner.
 * @throws {ApiError} `permission_denied`, `invalid_request`, `site_slug_taken`, `site_domain_taken`
 */
export async function createSiteAsOperator(
  change: Change,
  operatorId: string,
  input: NewSite,
): Promise<OperatedSite> {
  const { tx, siteId: tenantId } = change;
  await lockMember(tx, tenantId, operatorId);
  const roles = await selectRolesOfOperator(tx, operatorId);
  if (!roles.some(({ role }) => role === 'owner')) {
    throw new ApiError('permission_denied', 'Only owners of a site can create more sites. Ask an owner.');
  }
  const actor = await findActor(tx, tenantId, operatorId);
  const { id, slug, title, domain } = await createSite(change.on(newId()).as(actor), input);
  await insertRole(tx, id, operatorId, 'owner', null, change.at);
  return { id, slug, title, domain, role: 'owner' };
}

/** Lists the sites on which an operator has a role, oldest first. */
export function listSitesOfOperator(db: Queries, operatorId: string): Promise<OperatedSite[]> {
  return selectSitesOfOperator(db, operatorId);
}

/** Every operator of a site. There are few. */
export async function findEveryOperator(db: Queries, tenantId: string, siteId: string): Promise<Operator[]> {
  return (await selectOperators(db, tenantId, siteId, undefined, maxOperators)).map(toOperator);
}

export interface OperatorQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the operators of a site, the newest role first. @throws {ApiError} `invalid_cursor` */
export async function listOperators(
  db: Queries,
  tenantId: string,
  siteId: string,
  { after, limit }: OperatorQuery,
  now: Timestamp,
): Promise<Page<Operator>> {
  const place = after === undefined ? undefined : await findCursorPosition(db, tenantId, siteId, after, now);
  const rows = await selectOperators(db, tenantId, siteId, place, limit + 1);
  return toPage(rows, limit, toOperator);
}

/** The position of a cursor, even if its operator has been removed. */
async function findCursorPosition(
  db: Queries,
  tenantId: string,
  siteId: string,
  id: string,
  now: Timestamp,
): Promise<OperatorPosition> {
  const known = await selectOperator(db, tenantId, siteId, id);
  if (known) return { id, createdAt: known.created_at };
  const { sortKeys } = await findTombstone(db, siteId, listName, id, now);
  return { id, createdAt: sortKeys!.createdAt! };
}

export interface InvitedOperator {
  readonly operator: Operator;
  /** Whether a link with which the first operator could log in has been valid until now. */
  readonly endedSetupLink: boolean;
}

/**
 * Gives a person a role on a site, and emails an invitation to the dashboard. `granted` are the permissions
 * of the caller: it cannot give a role with more.
 * @throws {ApiError} `invalid_request`, `operator_exists`, `permission_denied`, `email_budget_exhausted`
 */
export async function inviteOperator(
  change: Change,
  tenant: Site,
  { email, displayName, role }: InviteOperator,
  emails: EmailContext,
  granted: readonly Permission[] = everyPermission,
): Promise<InvitedOperator> {
  const { tx, siteId } = change;
  requireGranted(granted, role);
  const values = {
    email: checkEmail(email),
    displayName: checkDisplayName(displayName ?? null),
    paid: false,
  };
  // The setup tokens are locked first, as when one is used.
  const endedSetupLink = await endSetupTokens(tx, tenant.id, change.at);
  const operatorId = await addToTenant(change.on(tenant.id), values);
  if (!(await insertRole(tx, siteId, operatorId, role, values.displayName, change.at))) {
    throw new ApiError(
      'operator_exists',
      'This person is already an operator of the site. Change the role instead.',
    );
  }
  const operator = toOperator((await selectOperator(tx, tenant.id, siteId, operatorId))!);
  await queueInvitation(change, tenant, await findSite(tx, siteId), operator, emails);
  const { id, email: address, displayName: name } = operator;
  change.record({
    type: 'operator.invited',
    data: { operator: { id, email: address, displayName: name, role } },
  });
  return { operator, endedSetupLink };
}

/** `granted` as for `inviteOperator`. @throws {ApiError} `operator_not_found`, `last_owner`, `permission_denied` */
export async function changeOperatorRole(
  change: Change,
  tenantId: string,
  operatorId: string,
  role: OperatorRole,
  granted: readonly Permission[] = everyPermission,
): Promise<Operator> {
  const { tx, siteId } = change;
  const before = await lockOperator(tx, tenantId, siteId, operatorId);
  requireGranted(granted, before.role);
  requireGranted(granted, role);
  if (before.role === role) return before;
  if (before.role === 'owner') await requireOtherOwner(tx, siteId, operatorId);
  await updateRole(tx, siteId, operatorId, role);
  await tx.signal();
  const changes = [{ field: 'role', from: before.role, to: role }];
  change.record({ type: 'operator.updated', data: { operatorId, changes } });
  return { ...before, role };
}

/**
 * Removes an operator's role. An operator without any role left on this installation is deleted. `granted` as
 * for `inviteOperator`.
 * @throws {ApiError} `operator_not_found`, `last_owner`, `permission_denied`
 */
export async function removeOperator(
  change: Change,
  tenantId: string,
  operatorId: string,
  granted: readonly Permission[] = everyPermission,
): Promise<void> {
  const { tx, siteId } = change;
  const { role, email, createdAt } = await lockOperator(tx, tenantId, siteId, operatorId);
  requireGranted(granted, role);
  if (role === 'owner') await requireOtherOwner(tx, siteId, operatorId);
  await deleteRole(tx, tenantId, siteId, operatorId);
  await tx.signal();
  await deleteEmailsToAddress(change, email);
  await eraseInvitations(tx, siteId, operatorId);
  await addTombstones(change, [{ list: listName, id: operatorId, sortKeys: { createdAt } }]);
  if ((await selectRolesOfOperator(tx, operatorId)).length === 0) {
    await deletePasskeysOf(tx, tenantId, operatorId);
    await deleteMember(change.on(tenantId), operatorId, () => {});
  }
  change.record({ type: 'operator.removed', data: { operatorId } });
}

/** Changes the name of an operator on all sites. @throws {ApiError} `invalid_request` */
export async function renameOperator(change: Change, operatorId: string, displayName: string): Promise<void> {
  const { tx, siteId: tenantId } = change;
  const before = (await lockMember(tx, tenantId, operatorId))!.displayName;
  const { displayName: after } = await updateMember(change, operatorId, { displayName }, () => {});
  if (after === before) return;
  await notifySites(change, operatorId, { field: 'displayName', from: before, to: after });
}

/**
 * Removes the passkeys of an operator who has lost them, and ends the sessions, which may have been opened with them. The
 * change is one of the operator tenant. Returns the number of passkeys.
 */
export async function removeEveryPasskey(change: Change, operatorId: string): Promise<number> {
  const { tx, siteId: tenantId } = change;
  await lockMember(tx, tenantId, operatorId);
  const { length } = await listPasskeys(tx, tenantId, operatorId);
  await deletePasskeysOf(tx, tenantId, operatorId);
  await revokeMemberSessions(change, operatorId, 'revoked');
  if (length > 0)
    await recordOnSites(change, operatorId, { field: 'passkeys', from: String(length), to: '0' });
  return length;
}

/** Records what operators change about themselves on every site on which they have a role. */
export async function notifySites(change: Change, operatorId: string, field: FieldChange): Promise<void> {
  const actor = await findActor(change.tx, change.siteId, operatorId);
  await recordOnSites(change.as(actor), operatorId, field);
}

async function recordOnSites(change: Change, operatorId: string, field: FieldChange): Promise<void> {
  const { tx } = change;
  for (const { site_id } of await selectRolesOfOperator(tx, operatorId)) {
    change.on(site_id).record({ type: 'operator.updated', data: { operatorId, changes: [field] } });
  }
}

async function findActor(tx: Transaction, tenantId: string, operatorId: string): Promise<Actor> {
  const { id, email, displayName } = (await lookUpMember(tx, tenantId, operatorId))!;
  return operatorActor({ id, email, displayName });
}

function requireGranted(granted: readonly Permission[], role: OperatorRole): void {
  const missing = rolePermissions[role].find((permission) => !grants(granted, permission));
  if (missing === undefined) return;
  throw new ApiError(
    'permission_denied',
    `The role ${role} has the permission ${missing}, which you do not have. Ask an owner to do this.`,
  );
}

/** Finds a person among the operators of all sites, or adds the person. The row is locked. */
async function addToTenant(
  change: Change,
  values: { readonly email: string; readonly displayName: string | null; readonly paid: boolean },
): Promise<string> {
  const { tx, siteId: tenantId } = change;
  const known = await lockMemberByEmail(tx, tenantId, values.email);
  if (known) return known.id;
  const [added] = await createMembers(change, [values], []);
  return added?.id ?? (await lockMemberByEmail(tx, tenantId, values.email))!.id;
}

/** Locks the operator, then the site, so that concurrent changes of a site's owners run one after another. */
async function lockOperator(
  tx: Transaction,
  tenantId: string,
  siteId: string,
  operatorId: string,
): Promise<Operator> {
  await lockMember(tx, tenantId, operatorId);
  await lockSite(tx, siteId);
  const row = await selectOperator(tx, tenantId, siteId, operatorId);
  if (row) return toOperator(row);
  throw new ApiError('operator_not_found', 'This site has no operator with this ID. Check the ID.');
}

async function requireOtherOwner(tx: Transaction, siteId: string, operatorId: string): Promise<void> {
  if (await hasOtherOwner(tx, siteId, operatorId)) return;
  throw new ApiError(
    'last_owner',
    'This is the last owner of the site. Make another operator an owner first.',
  );
}
