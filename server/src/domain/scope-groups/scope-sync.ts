import type { AccessGroup, Member } from '@gatehouse/contract';
import { invalidEmailMessage, normalizeEmail } from '@gatehouse/contract/email-address';
import { displayNameProblem, normalizeDisplayName } from '@gatehouse/contract/names';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries } from '../../storage/database.ts';
import { checkGroupName } from '../access-groups/access-group.ts';
import {
  createScopeGroup,
  findScopeGroup,
  isGroupNameTaken,
  lockAccessGroup,
  renameScopeGroup,
} from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { lockMembers, lookUpMembersByEmail } from '../members/member-lookup.ts';
import { renameMembers } from '../members/members.ts';
import { createMembers } from '../members/new-members.ts';
import { addMemberships, findMembersOfGroup, removeMemberships } from '../memberships/memberships.ts';

/**
 * When more than this share of a group would be removed in one synchronization, a confirmation is required, because a
 * source may fail.
 */
const maxRemovedUnconfirmed = 0.2;

/** A collection of an external workspace with all its current members, as reported by its source. */
export interface Scope {
  /** The identifier of the collection at its source. */
  readonly collection: string;
  readonly name: string;
  readonly entries: readonly ScopeEntry[];
}

export interface ScopeEntry {
  readonly email: string;
  /** Omitted when the source has no name; a member then keeps the current name. */
  readonly displayName?: string;
}

/** The difference between a scope and its group. */
export interface ScopeDifference {
  /** Null when the group does not exist yet. */
  readonly groupId: string | null;
  /** The group's previous name, when it changes. */
  readonly groupRenamedFrom: string | null;
  /** The current number of members in the group. */
  readonly currentMembers: number;
  /** Email addresses without a member so far. They are also in `added`. */
  readonly created: readonly string[];
  readonly added: readonly string[];
  readonly renamed: readonly { email: string; from: string | null; to: string | null }[];
  readonly removed: readonly string[];
}

/** So many members would be removed that a confirmation is required. Nothing was changed. */
export class TooManyRemovals extends Error {
  readonly difference: ScopeDifference;

  constructor(difference: ScopeDifference) {
    super(
      `${difference.removed.length} of ${difference.currentMembers} members would be removed from the group.`,
    );
    this.name = 'TooManyRemovals';
    this.difference = difference;
  }
}

/** Another synchronization of the same collection is running. */
export class ScopeSyncUnderway extends Error {
  constructor() {
    super('This collection is already being synchronized.');
    this.name = 'ScopeSyncUnderway';
  }
}

/** What `syncScope` would change. @throws {ApiError} `invalid_request`, `access_group_name_taken` */
export async function compareScope(
  db: Queries,
  siteId: string,
  scope: Scope,
  now: Timestamp,
): Promise<ScopeDifference> {
  const checked = checkScope(scope);
  const group = await findGroup(db, siteId, checked, now);
  return describe(await compare(db, siteId, checked, group));
}

/**
 * Synchronizes the group of a scope with it. People are added (and created as members if necessary), renamed, and
 * removed from the group; removed ones stay members. A blocked member stays blocked and is in the group. Either all
 * changes are made or none.
 * @throws {ApiError} `invalid_request`, `access_group_name_taken`
 * @throws {TooManyRemovals}
 * @throws {ScopeSyncUnderway}
 */
export async function syncScope(
  change: Change,
  scope: Scope,
  { removalsConfirmed = false } = {},
): Promise<ScopeDifference> {
  const { tx, siteId } = change;
  const checked = checkScope(scope);
  // Only its own synchronization adds members to a scope group, so from here on members can only leave it.
  if (!(await tx.tryLock(`scope ${siteId} ${checked.collection}`))) throw new ScopeSyncUnderway();
  const group = await findGroup(tx, siteId, checked, change.at);

  // The order of locks everywhere: members, then the group, then the event head.
  const created = await lockEntries(change, checked, group);
  if (group) await lockAccessGroup(tx, siteId, group.id);
  const found = await compare(tx, siteId, checked, group);
  const difference = describe(found, created);
  const { currentMembers, removed } = found;
  if (removed.length > currentMembers.length * maxRemovedUnconfirmed && !removalsConfirmed) {
    throw new TooManyRemovals(difference);
  }

  const groupId =
    group?.id ?? (await createScopeGroup(change, checked.collection, checked.name).catch(nameTakenHere));
  if (group && group.name !== checked.name) {
    await renameScopeGroup(change, group, checked.name).catch(nameTakenHere);
  }
  await renameMembers(change, found.renamed);
  await addMemberships(
    change,
    [groupId],
    found.added.map(({ id }) => id),
  );
  await removeMemberships(
    change,
    groupId,
    removed.map(({ id }) => id),
  );
  return { ...difference, groupId };
}

interface CheckedScope {
  readonly collection: string;
  readonly name: string;
  /** By email address; undefined when the source has no name. */
  readonly entries: ReadonlyMap<string, string | null | undefined>;
}

interface Comparison {
  readonly scope: CheckedScope;
  readonly group: AccessGroup | undefined;
  readonly currentMembers: readonly { id: string; email: string }[];
  readonly missing: readonly string[];
  readonly added: readonly Member[];
  readonly renamed: readonly { member: Member; to: string | null }[];
  readonly removed: readonly { id: string; email: string }[];
}

function checkScope({ collection, name, entries }: Scope): CheckedScope {
  const byEmail = new Map<string, string | null | undefined>();
  for (const [index, entry] of entries.entries()) {
    const email = normalizeEmail(entry.email);
    if (email === null)
      throw invalidRequest(`/entries/${index}/email`, `"${entry.email}": ${invalidEmailMessage}`);
    const displayName = entry.displayName === undefined ? null : normalizeDisplayName(entry.displayName);
    if (displayName === undefined) {
      const problem = displayNameProblem(entry.displayName ?? null);
      throw invalidRequest(`/entries/${index}/displayName`, `${email}: ${problem}`);
    }
    // If a person is listed twice, the first name counts.
    byEmail.set(email, byEmail.get(email) ?? displayName ?? undefined);
  }
  return { collection: checkGroupName(collection), name: checkGroupName(name), entries: byEmail };
}

async function findGroup(
  db: Queries,
  siteId: string,
  { collection, name }: CheckedScope,
  now: Timestamp,
): Promise<AccessGroup | undefined> {
  const group = await findScopeGroup(db, siteId, collection, now);
  if (group?.name !== name && (await isGroupNameTaken(db, siteId, name))) throw nameTaken();
  return group;
}

/**
 * Creates missing members, and locks all members whose membership may change. Returns the created ones. A member
 * deleted between these steps is created again.
 */
async function lockEntries(
  change: Change,
  { entries }: CheckedScope,
  group: AccessGroup | undefined,
): Promise<Member[]> {
  const { tx, siteId } = change;
  const created: Member[] = [];
  const emails = [...entries.keys()];
  let found = await lookUpMembersByEmail(tx, siteId, emails);
  do {
    const known = new Set(found.map(({ email }) => email));
    const missing = emails.filter((email) => !known.has(email));
    const newMembers = missing.map((email) => ({
      email,
      displayName: entries.get(email) ?? null,
      paid: false,
    }));
    created.push(...(await createMembers(change, newMembers)).filter((member) => member !== undefined));
    const currentMembers = group ? await findMembersOfGroup(tx, siteId, group.id) : [];
    found = await lookUpMembersByEmail(tx, siteId, emails);
    await lockMembers(
      tx,
      siteId,
      [...found, ...currentMembers].map(({ id }) => id),
    );
    found = await lookUpMembersByEmail(tx, siteId, emails);
  } while (found.length < emails.length);
  return created;
}

async function compare(
  db: Queries,
  siteId: string,
  scope: CheckedScope,
  group: AccessGroup | undefined,
): Promise<Comparison> {
  const members = await lookUpMembersByEmail(db, siteId, [...scope.entries.keys()]);
  const currentMembers = group ? await findMembersOfGroup(db, siteId, group.id) : [];
  const inGroup = new Set(currentMembers.map(({ id }) => id));
  const known = new Set(members.map(({ email }) => email));
  return {
    scope,
    group,
    currentMembers,
    missing: [...scope.entries.keys()].filter((email) => !known.has(email)),
    added: members.filter(({ id }) => !inGroup.has(id)),
    renamed: members.flatMap((member) => {
      const to = scope.entries.get(member.email);
      return to === undefined || to === member.displayName ? [] : [{ member, to }];
    }),
    removed: currentMembers.filter(({ email }) => !scope.entries.has(email)),
  };
}

function describe(comparison: Comparison, created: readonly Member[] = []): ScopeDifference {
  const { scope, group, currentMembers, missing, added, renamed, removed } = comparison;
  return {
    groupId: group?.id ?? null,
    groupRenamedFrom: group && group.name !== scope.name ? group.name : null,
    currentMembers: currentMembers.length,
    created: [...missing, ...created.map(({ email }) => email)].sort(),
    added: [...missing, ...added.map(({ email }) => email)].sort(),
    renamed: renamed.map(({ member, to }) => ({ email: member.email, from: member.displayName, to })),
    removed: removed.map(({ email }) => email).sort(),
  };
}

function nameTakenHere(error: unknown): never {
  throw error instanceof ApiError && error.code === 'access_group_name_taken' ? nameTaken() : error;
}

function nameTaken(): ApiError {
  return new ApiError(
    'access_group_name_taken',
    'This site has an access group with the name of the collection. Rename or delete that group first.',
  );
}
