import type { InviteOperator, Operator, OperatorRole, Permission, Site } from '@gatehouse/contract';
import type { OperatedSite } from '@gatehouse/contract/dashboard';
import { permissions as everyPermission, grants, rolePermissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import { newId } from '../../base/ids.ts';
import { type Page, type PageQuery, toPage } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import { deleteEmailsToAddress } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import type { FieldChange } from '../events/event.ts';
import { eraseInvitations } from '../events/events.ts';
import { endInvitationsOf, lockInviting } from '../invitation-ends/invitation-ends.ts';
import { lockMember, lockMemberByEmail, lookUpMember } from '../members/member-lookup.ts';
import { revokeMemberSessions } from '../members/member-sessions.ts';
import { type MemberDraft, readDraft, requireValid } from '../members/member-values.ts';
import { deleteMember, updateMember } from '../members/members.ts';
import { createMembers } from '../members/new-members.ts';
import { endPasskeys } from '../passkey-ends/passkey-ends.ts';
import { deleteViewsOf } from '../saved-views/saved-views.ts';
import { createSite, findSite, lockSite, type NewSite } from '../sites/sites.ts';
import { queueInvitation, recordInvitation } from './invitations.ts';
import { operatorActor, type StoredOperator, toOperator } from './operator.ts';
import {
  deleteRole,
  endSetupTokens,
  hasOtherOwner,
  insertRole,
  type OperatorPosition,
  selectOperator,
  selectOperators,
  selectRolesOfPerson,
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
  personId: string,
  input: NewSite,
): Promise<OperatedSite> {
  const { db } = change;
  await lockMember(change, personId);
  const roles = await selectRolesOfPerson(db, personId);
  if (!roles.some(({ role }) => role === 'owner')) {
    throw new ApiError('permission_denied', 'Only owners of a site can create more sites. Ask an owner.');
  }
  const roleId = newId();
  const actor = operatorActor({ ...(await lookUpMember(change, personId))!, id: roleId });
  const { id, slug, title, domain, timeZone } = await createSite(change.on(newId()).as(actor), input);
  await insertRole(change.on(id), {
    id: roleId,
    personId,
    role: 'owner',
    invitedName: null,
    createdAt: change.now,
  });
  return { id, slug, title, domain, timeZone, role: 'owner', operatorId: roleId };
}

export { selectSitesOfPerson as listSitesOfOperator } from './operator-store.ts';

/** Every operator of a site. There are few. */
export async function findEveryOperator(view: SiteData, tenantId: string): Promise<Operator[]> {
  return (await selectOperators(view, tenantId, undefined, maxOperators)).map(toOperator);
}

/** Lists the operators of a site, the newest role first. @throws {ApiError} `invalid_cursor` */
export async function listOperators(
  view: SiteView,
  tenantId: string,
  { after, limit }: PageQuery,
): Promise<Page<Operator>> {
  const position = after === undefined ? undefined : await findCursorPosition(view, tenantId, after);
  return toPage(await selectOperators(view, tenantId, position, limit + 1), limit, toOperator);
}

/** The position of a cursor, even if its operator has been removed. */
async function findCursorPosition(view: SiteView, tenantId: string, id: string): Promise<OperatorPosition> {
  const known = await selectOperator(view, tenantId, id);
  if (known) return known;
  const { sortKeys } = await findTombstone(view, listName, id);
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
  requireGranted(granted, role);
  const values = requireValid(readDraft({ email, displayName: displayName ?? null }, change.now));
  // The setup tokens are locked first, as when one is used.
  const endedSetupLink = await endSetupTokens(change.on(tenant.id));
  const personId = await addToTenant(change.on(tenant.id), values);
  const id = newId();
  const invited = { id, personId, role, invitedName: values.displayName ?? null, createdAt: change.now };
  if (!(await insertRole(change, invited))) {
    throw new ApiError(
      'operator_exists',
      'This person is already an operator of the site. Change the role instead.',
    );
  }
  const operator = toOperator((await selectOperator(change, tenant.id, id))!);
  await queueInvitation(change, tenant, await findSite(change), operator, emails);
  recordInvitation(change, operator);
  return { operator, endedSetupLink };
}

/** `granted` as for `inviteOperator`. @throws {ApiError} `operator_not_found`, `last_owner`, `permission_denied` */
export async function changeOperatorRole(
  change: Change,
  tenantId: string,
  roleId: string,
  role: OperatorRole,
  granted: readonly Permission[] = everyPermission,
): Promise<Operator> {
  const before = await lockOperator(change, tenantId, roleId);
  requireGranted(granted, before.role);
  requireGranted(granted, role);
  if (before.role === role) return toOperator(before);
  if (before.role === 'owner') await requireOtherOwner(change, before.personId);
  await updateRole(change, before.personId, role);
  await change.db.signal();
  if (!grants(rolePermissions[role], 'invitations:write')) await endInvitations(change, before.id);
  const changes = [{ field: 'role', from: before.role, to: role }];
  change.record({ type: 'operator.updated', data: { operatorId: before.id, changes } });
  return toOperator({ ...before, role });
}

/**
 * Removes an operator's role. An operator without any role left on this installation is deleted. `granted` as
 * for `inviteOperator`.
 * @throws {ApiError} `operator_not_found`, `last_owner`, `permission_denied`
 */
export async function removeOperator(
  change: Change,
  tenantId: string,
  roleId: string,
  granted: readonly Permission[] = everyPermission,
): Promise<void> {
  const { db } = change;
  const { id, personId, role, email, createdAt } = await lockOperator(change, tenantId, roleId);
  requireGranted(granted, role);
  if (role === 'owner') await requireOtherOwner(change, personId);
  await deleteRole(change, tenantId, personId);
  await deleteViewsOf(change.on(tenantId), { personId, operatedSiteId: change.siteId });
  await db.signal();
  await endInvitations(change, id);
  await deleteEmailsToAddress(change, email);
  await eraseInvitations(change, email);
  await addTombstones(change, [{ list: listName, id, sortKeys: { createdAt } }]);
  if ((await selectRolesOfPerson(db, personId)).length === 0) {
    const inTenant = change.on(tenantId);
    await deleteMember(inTenant, personId);
  }
  change.record({ type: 'operator.removed', data: { operatorId: id } });
}

/** Changes the name of an operator on all sites. @throws {ApiError} `invalid_request` */
export async function renameOperator(change: Change, personId: string, displayName: string): Promise<void> {
  const before = (await lockMember(change, personId))!.displayName;
  const { displayName: after } = await updateMember(change, personId, { displayName }, () => {});
  if (after === before) return;
  await notifySites(change, personId, { field: 'displayName', from: before, to: after });
}

/**
 * Removes the passkeys of an operator who has lost them, and ends the sessions, which may have been opened with them.
 * Returns the number of passkeys. @throws {ApiError} `operator_not_found`
 */
export async function removeEveryPasskey(change: Change, tenantId: string, roleId: string): Promise<number> {
  const { personId } = await findOperator(change, tenantId, roleId);
  const inTenant = change.on(tenantId);
  await lockMember(inTenant, personId);
  const length = await endPasskeys(inTenant, [personId], 'removed');
  await revokeMemberSessions(inTenant, personId, 'revoked');
  if (length === 0) return 0;
  const changes = [{ field: 'passkeys', from: String(length), to: '0' }];
  for (const { siteId, id } of await selectRolesOfPerson(change.db, personId)) {
    change.on(siteId).record({ type: 'operator.updated', data: { operatorId: id, changes } });
  }
  return length;
}

/** Records what operators change about themselves on every site on which they have a role. */
export async function notifySites(change: Change, personId: string, field: FieldChange): Promise<void> {
  const { db } = change;
  const person = (await lookUpMember(change, personId))!;
  for (const { siteId, id } of await selectRolesOfPerson(db, personId)) {
    const own = change.on(siteId).as(operatorActor({ ...person, id }));
    own.record({ type: 'operator.updated', data: { operatorId: id, changes: [field] } });
  }
}

/** Ends what an operator has made who may no longer invite. */
async function endInvitations(change: Change, roleId: string): Promise<void> {
  await lockInviting(change);
  await endInvitationsOf(change, roleId);
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
async function addToTenant(change: Change, values: MemberDraft): Promise<string> {
  const known = await lockMemberByEmail(change, values.email);
  if (known) return known.id;
  const [added] = await createMembers(change, [values], []);
  return added?.id ?? (await lockMemberByEmail(change, values.email))!.id;
}

/** Locks the person, then the site, so that concurrent changes of a site's owners run one after another. */
async function lockOperator(change: Change, tenantId: string, roleId: string): Promise<StoredOperator> {
  const { personId } = await findOperator(change, tenantId, roleId);
  await lockMember(change.on(tenantId), personId);
  await lockSite(change);
  return findOperator(change, tenantId, roleId);
}

async function findOperator(view: SiteData, tenantId: string, roleId: string): Promise<StoredOperator> {
  const operator = await selectOperator(view, tenantId, roleId);
  if (operator) return operator;
  throw new ApiError('operator_not_found', 'This site has no operator with this ID. Check the ID.');
}

async function requireOtherOwner(view: SiteData<Transaction>, personId: string): Promise<void> {
  if (await hasOtherOwner(view, personId)) return;
  throw new ApiError(
    'last_owner',
    'This is the last owner of the site. Make another operator an owner first.',
  );
}
