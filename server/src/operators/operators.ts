import {
  type Actor,
  type Change,
  permissions as everyPermission,
  grants,
  type InviteOperator,
  type Operator,
  type OperatorRole,
  type Permission,
  rolePermissions,
  type Site,
} from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { Refusal } from '../base/refusal.ts';
import { eraseInvitations, recordEvents } from '../events/events.ts';
import { deleteMailsToAddresses } from '../mail/mail-store.ts';
import { checkDisplayName, checkEmail } from '../members/member.ts';
import { lockMemberByEmail, lockMemberRow, selectMember } from '../members/member-store.ts';
import { deleteMember, updateMember } from '../members/members.ts';
import { addPeople } from '../members/new-members.ts';
import { findDeparted, rememberDeparted } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import { lockSite } from '../sites/site-store.ts';
import { createSite, findSite, type NewSite } from '../sites/sites.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { queueInvitation } from './invitations.ts';
import { operatorActor, toOperator } from './operator.ts';
import {
  deleteRole,
  deleteWelcome,
  hasOtherOwner,
  insertRole,
  type OperatedSite,
  type OperatorPlace,
  selectOperator,
  selectOperators,
  selectRolesOfOperator,
  updateRole,
} from './operator-store.ts';
import { deletePasskeysOf } from './passkey-store.ts';

const listName = 'operators';

/**
 * Makes another site for an operator who owns one already, and who owns it then.
 * @throws Refusal `permission_denied`, `invalid_request`, `site_slug_taken`, `site_domain_taken`
 */
export async function createSiteAsOperator(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  input: NewSite,
  cause: Cause,
): Promise<OperatedSite> {
  await lockMemberRow(tx, realmId, operatorId);
  const roles = await selectRolesOfOperator(tx, operatorId);
  if (!roles.some(({ role }) => role === 'owner')) {
    throw new Refusal('permission_denied', 'Only owners of a site create further sites. Ask an owner.');
  }
  const actor = await findActor(tx, realmId, operatorId);
  const { id, slug, title, domain } = await createSite(tx, input, { ...cause, actor });
  await insertRole(tx, id, operatorId, 'owner', null, cause.at);
  return { id, slug, title, domain, role: 'owner' };
}

export interface OperatorQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the operators of a site, the newest role first. @throws Refusal `invalid_cursor` */
export async function listOperators(
  db: Queries,
  realmId: string,
  siteId: string,
  { after, limit }: OperatorQuery,
  now: Timestamp,
): Promise<Page<Operator>> {
  const place = after === undefined ? undefined : await findPlace(db, realmId, siteId, after, now);
  const rows = await selectOperators(db, realmId, siteId, place, limit + 1);
  return toPage(rows, limit, toOperator);
}

/** Where a cursor stands, also where its operator is gone. */
async function findPlace(
  db: Queries,
  realmId: string,
  siteId: string,
  id: string,
  now: Timestamp,
): Promise<OperatorPlace> {
  const known = await selectOperator(db, realmId, siteId, id);
  if (known) return { id, createdAt: known.created_at };
  const { sortKeys } = await findDeparted(db, siteId, listName, id, now);
  return { id, createdAt: sortKeys!.createdAt! };
}

/**
 * Gives a person a role on a site and mails how to get to the dashboard. `carried` is what the caller itself may do: it
 * can give no role that may do more.
 * @throws Refusal `invalid_request`, `operator_exists`, `permission_denied`, `email_budget_exhausted`
 */
export async function inviteOperator(
  tx: Transaction,
  realm: Site,
  siteId: string,
  { email, displayName, role }: InviteOperator,
  cause: Cause,
  limits: EmailLimits,
  carried: readonly Permission[] = everyPermission,
): Promise<Operator> {
  requireCarried(carried, role);
  const person = {
    email: checkEmail(email),
    displayName: checkDisplayName(displayName ?? null),
    paid: false,
  };
  // The first owner's link is locked before anybody, as where it is used.
  await deleteWelcome(tx, realm.id);
  const operatorId = await enrol(tx, realm.id, person, cause);
  if (!(await insertRole(tx, siteId, operatorId, role, person.displayName, cause.at))) {
    throw new Refusal(
      'operator_exists',
      'This person is an operator of the site already. Change the role instead.',
    );
  }
  const operator = toOperator((await selectOperator(tx, realm.id, siteId, operatorId))!);
  await queueInvitation(tx, realm, await findSite(tx, siteId), operator, cause, limits);
  const { id, email: address, displayName: name } = operator;
  await recordEvents(tx, siteId, cause, [
    { type: 'operator.invited', data: { operator: { id, email: address, displayName: name, role } } },
  ]);
  return operator;
}

/** `carried` as for `inviteOperator`. @throws Refusal `operator_not_found`, `last_owner`, `permission_denied` */
export async function changeOperatorRole(
  tx: Transaction,
  realmId: string,
  siteId: string,
  operatorId: string,
  role: OperatorRole,
  cause: Cause,
  carried: readonly Permission[] = everyPermission,
): Promise<Operator> {
  const before = await lockOperator(tx, realmId, siteId, operatorId);
  requireCarried(carried, before.role);
  requireCarried(carried, role);
  if (before.role === role) return before;
  if (before.role === 'owner') await requireOtherOwner(tx, siteId, operatorId);
  await updateRole(tx, siteId, operatorId, role);
  const changes = [{ field: 'role', from: before.role, to: role }];
  await recordEvents(tx, siteId, cause, [{ type: 'operator.updated', data: { operatorId, changes } }]);
  return { ...before, role };
}

/**
 * Takes an operator's role away. Whoever is left without any on this installation is forgotten. `carried` as for
 * `inviteOperator`.
 * @throws Refusal `operator_not_found`, `last_owner`, `permission_denied`
 */
export async function removeOperator(
  tx: Transaction,
  realmId: string,
  siteId: string,
  operatorId: string,
  cause: Cause,
  carried: readonly Permission[] = everyPermission,
): Promise<void> {
  const { role, email, createdAt } = await lockOperator(tx, realmId, siteId, operatorId);
  requireCarried(carried, role);
  if (role === 'owner') await requireOtherOwner(tx, siteId, operatorId);
  await deleteRole(tx, siteId, operatorId);
  await deleteMailsToAddresses(tx, siteId, [email]);
  await eraseInvitations(tx, siteId, operatorId);
  await rememberDeparted(tx, siteId, listName, [{ id: operatorId, sortKeys: { createdAt } }], cause.at);
  if ((await selectRolesOfOperator(tx, operatorId)).length === 0) {
    await deletePasskeysOf(tx, realmId, operatorId);
    await deleteMember(tx, realmId, operatorId, cause, () => {});
  }
  await recordEvents(tx, siteId, cause, [{ type: 'operator.removed', data: { operatorId } }]);
}

/** Changes the name that an operator goes by on all sites. @throws Refusal `invalid_request` */
export async function renameOperator(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  displayName: string,
  cause: Cause,
): Promise<void> {
  const before = (await lockMemberRow(tx, realmId, operatorId))!.display_name;
  const { displayName: after } = await updateMember(
    tx,
    realmId,
    operatorId,
    { displayName },
    cause,
    () => {},
  );
  if (after === before) return;
  await tellSites(tx, realmId, operatorId, { field: 'displayName', from: before, to: after }, cause);
}

/** Records a change of an operator on every site that the operator has a role on. */
export async function tellSites(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  change: Change,
  cause: Cause,
): Promise<void> {
  const actor = await findActor(tx, realmId, operatorId);
  for (const { site_id } of await selectRolesOfOperator(tx, operatorId)) {
    await recordEvents(tx, site_id, { ...cause, actor }, [
      { type: 'operator.updated', data: { operatorId, changes: [change] } },
    ]);
  }
}

async function findActor(tx: Transaction, realmId: string, operatorId: string): Promise<Actor> {
  const { id, email, display_name: displayName } = (await selectMember(tx, realmId, operatorId))!;
  return operatorActor({ id, email, displayName });
}

function requireCarried(carried: readonly Permission[], role: OperatorRole): void {
  const missing = rolePermissions[role].find((permission) => !grants(carried, permission));
  if (missing === undefined) return;
  throw new Refusal(
    'permission_denied',
    `The role ${role} has the permission ${missing}, which you lack. Ask an owner to do it.`,
  );
}

/** Finds a person among the operators of all sites, or adds the person to them. The row is locked. */
async function enrol(
  tx: Transaction,
  realmId: string,
  person: { readonly email: string; readonly displayName: string | null; readonly paid: boolean },
  cause: Cause,
): Promise<string> {
  const known = await lockMemberByEmail(tx, realmId, person.email);
  if (known) return known.id;
  const [added] = await addPeople(tx, realmId, [person], [], cause);
  return added?.id ?? (await lockMemberByEmail(tx, realmId, person.email))!.id;
}

/** The person first, then the site: whoever changes the owners of a site waits for one another. */
async function lockOperator(
  tx: Transaction,
  realmId: string,
  siteId: string,
  operatorId: string,
): Promise<Operator> {
  await lockMemberRow(tx, realmId, operatorId);
  await lockSite(tx, siteId);
  const row = await selectOperator(tx, realmId, siteId, operatorId);
  if (row) return toOperator(row);
  throw new Refusal('operator_not_found', 'This site has no operator with this id. Check the id.');
}

async function requireOtherOwner(tx: Transaction, siteId: string, operatorId: string): Promise<void> {
  if (await hasOtherOwner(tx, siteId, operatorId)) return;
  throw new Refusal(
    'last_owner',
    'This is the last owner of the site. Make another operator an owner first.',
  );
}
