import type { Member } from '@gatehouse/contract';
import { checkGroupName } from '../access-groups/access-group.ts';
import {
  addToMembershipCount,
  insertAccessGroup,
  lockAccessGroup,
  selectAccessGroupByCollection,
  updateAccessGroupRow,
} from '../access-groups/access-group-store.ts';
import type { Cause } from '../base/cause.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { invalidRequest, Refusal } from '../base/refusal.ts';
import type { NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { rememberDeparted } from '../routing/departed-items.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { normalizeEmail } from './email.ts';
import { displayNameProblem, invalidEmailMessage, normalizeDisplayName, toMember } from './member.ts';
import { updateMemberRow } from './member-store.ts';
import { addedEvent, type MembershipRow } from './membership.ts';
import { insertMemberships } from './membership-store.ts';
import { createdEvent, insertPeople } from './new-members.ts';
import {
  deleteMemberships,
  hasGroupNamed,
  lockMembers,
  selectMembersByEmail,
  selectPeopleOfGroup,
} from './scope-sync-store.ts';

/** More than this part of a group is not removed at once unless somebody has looked at it: a source may fail. */
const mostRemovedUnconfirmed = 0.2;

/** A collection of an external workspace, as its source tells of it now: everybody who is in it. */
export interface Scope {
  /** What the source knows the collection by. */
  readonly collection: string;
  readonly name: string;
  readonly people: readonly ScopePerson[];
}

export interface ScopePerson {
  readonly email: string;
  /** Left out when the source does not tell; then a member keeps the name it has. */
  readonly displayName?: string;
}

/** What lies between a scope and its group. */
export interface ScopeDifference {
  /** Null when the group is yet to be created. */
  readonly groupId: string | null;
  /** The group's name until now, when it changes. */
  readonly groupRenamedFrom: string | null;
  /** How many are in the group now. */
  readonly present: number;
  /** Addresses without a member until now. They are among `added` too. */
  readonly created: readonly string[];
  readonly added: readonly string[];
  readonly renamed: readonly { email: string; from: string | null; to: string | null }[];
  readonly removed: readonly string[];
}

/** So many would be removed that somebody should look at it first. Nothing was changed. */
export class TooManyRemovals extends Error {
  readonly difference: ScopeDifference;

  constructor(difference: ScopeDifference) {
    super(`${difference.removed.length} of ${difference.present} members would be removed from the group.`);
    this.name = 'TooManyRemovals';
    this.difference = difference;
  }
}

/** Another synchronisation of the same collection is running. */
export class ScopeSyncUnderway extends Error {
  constructor() {
    super('This collection is being synchronised at this moment.');
    this.name = 'ScopeSyncUnderway';
  }
}

/** What `syncScope` would change. @throws Refusal `invalid_request`, `access_group_name_taken` */
export async function compareScope(
  db: Queries,
  siteId: string,
  scope: Scope,
  cause: Cause,
): Promise<ScopeDifference> {
  const checked = checkScope(scope);
  const group = await findGroup(db, siteId, checked, cause);
  return describe(await compare(db, siteId, checked, group));
}

/**
 * Brings the group of a scope in line with it: people are added, as members where they are none yet, renamed, and
 * removed from the group; as members they remain. A blocked member stays blocked and is in the group. All of it or
 * nothing happens.
 * @throws Refusal `invalid_request`, `access_group_name_taken`; TooManyRemovals; ScopeSyncUnderway
 */
export async function syncScope(
  tx: Transaction,
  siteId: string,
  scope: Scope,
  cause: Cause,
  { removalsConfirmed = false } = {},
): Promise<ScopeDifference> {
  const checked = checkScope(scope);
  // Only its own synchronisation adds anybody to a scope group, so from here on members can only leave it.
  if (!(await tx.tryLock(`scope ${siteId} ${checked.collection}`))) throw new ScopeSyncUnderway();
  const group = await findGroup(tx, siteId, checked, cause);

  // Locks in the one order of all transactions: members, then the group, then the event head.
  const created = await lockPeople(tx, siteId, checked, group);
  if (group) await lockAccessGroup(tx, siteId, group.id);
  const found = await compare(tx, siteId, checked, group);
  const difference = describe(found, created);
  const { present, removed } = found;
  if (removed.length > present.length * mostRemovedUnconfirmed && !removalsConfirmed) {
    throw new TooManyRemovals(difference);
  }

  const events: NewEvent[] = [];
  const groupId = group?.id ?? (await createGroup(tx, siteId, checked, events));
  if (group && group.name !== checked.name) await renameGroup(tx, siteId, group, checked.name, cause, events);
  events.push(...created.map(createdEvent));
  await renameMembers(tx, siteId, found.renamed, cause, events);
  await addMembers(tx, siteId, groupId, found.added, cause, events);
  await removeMembers(tx, siteId, groupId, removed, cause, events);
  await recordEvents(tx, siteId, cause, events);
  return { ...difference, groupId };
}

interface CheckedScope {
  readonly collection: string;
  readonly name: string;
  /** By address; undefined for a name that the source does not tell. */
  readonly people: ReadonlyMap<string, string | null | undefined>;
}

interface ScopeGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

interface Comparison {
  readonly scope: CheckedScope;
  readonly group: ScopeGroup | undefined;
  readonly present: readonly { id: string; email: string }[];
  readonly missing: readonly string[];
  readonly added: readonly Member[];
  readonly renamed: readonly { member: Member; to: string | null }[];
  readonly removed: readonly { id: string; email: string }[];
}

function checkScope({ collection, name, people }: Scope): CheckedScope {
  const byEmail = new Map<string, string | null | undefined>();
  for (const [index, person] of people.entries()) {
    const email = normalizeEmail(person.email);
    if (email === null)
      throw invalidRequest(`/people/${index}/email`, `"${person.email}": ${invalidEmailMessage}`);
    const displayName = person.displayName === undefined ? null : normalizeDisplayName(person.displayName);
    if (displayName === undefined) {
      const problem = displayNameProblem(person.displayName ?? null);
      throw invalidRequest(`/people/${index}/displayName`, `${email}: ${problem}`);
    }
    // Of a person told of twice the first name counts.
    byEmail.set(email, byEmail.get(email) ?? displayName ?? undefined);
  }
  return { collection: checkGroupName(collection), name: checkGroupName(name), people: byEmail };
}

async function findGroup(
  db: Queries,
  siteId: string,
  { collection, name }: CheckedScope,
  cause: Cause,
): Promise<ScopeGroup | undefined> {
  const group = await selectAccessGroupByCollection(db, siteId, collection, cause.at);
  if (group?.name !== name && (await hasGroupNamed(db, siteId, name))) throw nameTaken();
  return group;
}

/**
 * Sees to it that everybody is a member, and locks all whose membership may change. Gives those it created. A member
 * that is deleted between the one and the other is created anew.
 */
async function lockPeople(
  tx: Transaction,
  siteId: string,
  { people }: CheckedScope,
  group: ScopeGroup | undefined,
): Promise<Member[]> {
  const created: Member[] = [];
  const emails = [...people.keys()];
  let found = await selectMembersByEmail(tx, siteId, emails);
  do {
    const known = new Set(found.map(({ email }) => email));
    const missing = emails.filter((email) => !known.has(email));
    const newcomers = missing.map((email) => ({
      email,
      displayName: people.get(email) ?? null,
      paid: false,
    }));
    created.push(...(await insertPeople(tx, siteId, newcomers)).filter((member) => member !== undefined));
    const present = group ? await selectPeopleOfGroup(tx, siteId, group.id) : [];
    found = await selectMembersByEmail(tx, siteId, emails);
    await lockMembers(
      tx,
      siteId,
      [...found, ...present].map(({ id }) => id),
    );
    found = await selectMembersByEmail(tx, siteId, emails);
  } while (found.length < emails.length);
  return created;
}

async function compare(
  db: Queries,
  siteId: string,
  scope: CheckedScope,
  group: ScopeGroup | undefined,
): Promise<Comparison> {
  const members = (await selectMembersByEmail(db, siteId, [...scope.people.keys()])).map(toMember);
  const present = group ? await selectPeopleOfGroup(db, siteId, group.id) : [];
  const inGroup = new Set(present.map(({ id }) => id));
  const known = new Set(members.map(({ email }) => email));
  return {
    scope,
    group,
    present,
    missing: [...scope.people.keys()].filter((email) => !known.has(email)),
    added: members.filter(({ id }) => !inGroup.has(id)),
    renamed: members.flatMap((member) => {
      const to = scope.people.get(member.email);
      return to === undefined || to === member.displayName ? [] : [{ member, to }];
    }),
    removed: present.filter(({ email }) => !scope.people.has(email)),
  };
}

function describe(comparison: Comparison, created: readonly Member[] = []): ScopeDifference {
  const { scope, group, present, missing, added, renamed, removed } = comparison;
  return {
    groupId: group?.id ?? null,
    groupRenamedFrom: group && group.name !== scope.name ? group.name : null,
    present: present.length,
    created: [...missing, ...created.map(({ email }) => email)].sort(),
    added: [...missing, ...added.map(({ email }) => email)].sort(),
    renamed: renamed.map(({ member, to }) => ({ email: member.email, from: member.displayName, to })),
    removed: removed.map(({ email }) => email).sort(),
  };
}

async function createGroup(
  tx: Transaction,
  siteId: string,
  { collection, name }: CheckedScope,
  events: NewEvent[],
): Promise<string> {
  const id = newId();
  const row = { id, name, description: null, type: 'scope' as const, collection, createdAt: timeOfId(id) };
  await insertAccessGroup(tx, siteId, row).catch(refuseTakenName);
  const group = { id, name, description: null, type: 'scope' as const };
  events.push({ type: 'access-group.created', groupId: id, data: { group } });
  return id;
}

async function renameGroup(
  tx: Transaction,
  siteId: string,
  { id: groupId, name: from, description }: ScopeGroup,
  to: string,
  cause: Cause,
  events: NewEvent[],
): Promise<void> {
  await updateAccessGroupRow(tx, siteId, groupId, to, description, cause.at).catch(refuseTakenName);
  const changes = [{ field: 'name', from, to }];
  events.push({ type: 'access-group.updated', groupId, data: { groupId, changes } });
}

async function renameMembers(
  tx: Transaction,
  siteId: string,
  renamed: Comparison['renamed'],
  cause: Cause,
  events: NewEvent[],
): Promise<void> {
  for (const { member, to } of renamed) {
    const { id: memberId, displayName: from } = member;
    await updateMemberRow(tx, siteId, memberId, { ...member, displayName: to }, cause.at);
    const changes = [{ field: 'displayName', from, to }];
    events.push({ type: 'member.updated', memberId, data: { memberId, changes } });
  }
}

async function addMembers(
  tx: Transaction,
  siteId: string,
  groupId: string,
  added: readonly Member[],
  cause: Cause,
  events: NewEvent[],
): Promise<void> {
  const rows = added.map(
    ({ id }): MembershipRow => ({
      group_id: groupId,
      member_id: id,
      source: 'scope',
      added_at: cause.at,
      expires_at: null,
    }),
  );
  await insertMemberships(tx, siteId, rows);
  await addToMembershipCount(tx, siteId, groupId, rows.length);
  events.push(...rows.map(addedEvent));
}

async function removeMembers(
  tx: Transaction,
  siteId: string,
  groupId: string,
  removed: Comparison['removed'],
  cause: Cause,
  events: NewEvent[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  const deleted = await deleteMemberships(tx, siteId, groupId, ids);
  await addToMembershipCount(tx, siteId, groupId, -deleted);
  await rememberDeparted(
    tx,
    siteId,
    groupId,
    ids.map((id) => ({ id })),
    cause.at,
  );
  for (const memberId of ids) {
    events.push({ type: 'access-group.member.removed', groupId, memberId, data: { groupId, memberId } });
  }
}

function refuseTakenName(error: unknown): never {
  throw isUniqueViolation(error, 'access_groups_name') ? nameTaken() : error;
}

function nameTaken(): Refusal {
  return new Refusal(
    'access_group_name_taken',
    'This site has an access group with the name of the collection. Rename or delete that group first.',
  );
}
