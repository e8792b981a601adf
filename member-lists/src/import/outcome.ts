import type { FoundMember, MemberStatus } from '@gatehouse/client';
import { normalizeDisplayName } from '@gatehouse/contract/names';
import type { MemberDraft, Reason } from '../reading/member-draft.ts';

/**
 * The outcome of a row. `unchanged`: the member exists with the same values. `groupsChanged`: the same, but the member
 * is added to groups or memberships get another end. `merged`: an earlier row of the same person has the groups of this
 * one too. `leftOut`: not imported because of the state in the other system. `conflict`: the member exists with other values. `invalid`: the
 * row cannot be used.
 */
export type ImportStatus =
  | 'created'
  | 'unchanged'
  | 'groupsChanged'
  | 'merged'
  | 'leftOut'
  | 'conflict'
  | 'invalid';

export type Outcome =
  | { readonly status: 'created' | 'unchanged' | 'groupsChanged' | 'leftOut' }
  | { readonly status: 'merged' /** The line of the other row. */; readonly line: number }
  | { readonly status: 'conflict' | 'invalid'; readonly reason: Reason };

export type Failure = Extract<Outcome, { reason: Reason }>;

export function isFailure(outcome: Outcome): outcome is Failure {
  return 'reason' in outcome;
}

/** The outcome of a row that nothing is sent for; undefined for the others. */
export function outcomeOfUnused({ problem, isLeftOut, mergedInto }: MemberDraft): Outcome | undefined {
  if (problem) return { status: 'invalid', reason: problem };
  if (mergedInto !== undefined) return { status: 'merged', line: mergedInto };
  return isLeftOut ? { status: 'leftOut' } : undefined;
}

/** The fields of a member that an import needs. */
export interface MemberState {
  readonly displayName: string | null;
  readonly paid: boolean | null;
  readonly status: MemberStatus;
  /** The end of each membership, null for never, by group id. */
  readonly groups: Map<string, string | null>;
}

/** The groups of a list. */
export interface GroupsOfList {
  /** The ids by name; groups that are not listed here, such as scope groups, are ignored. */
  readonly ids: ReadonlyMap<string, string>;
  /** The ids of the groups that all members are added to. */
  readonly forAll: readonly string[];
}

/** The memberships of a row by group id, with their ends. Memberships that have already ended are left out. */
export function membershipsOf(
  draft: MemberDraft,
  { ids, forAll }: GroupsOfList,
  now: Date,
): Map<string, string | null> {
  const memberships = new Map<string, string | null>(forAll.map((id) => [id, null]));
  for (const { name, expiresAt } of draft.groups) {
    const id = ids.get(name);
    const isOver = expiresAt !== null && expiresAt <= now.toISOString();
    if (id !== undefined && !isOver) memberships.set(id, expiresAt);
  }
  return memberships;
}

/** The member that a row creates. */
export function stateOfNew(draft: MemberDraft, memberships: ReadonlyMap<string, string | null>): MemberState {
  return {
    displayName: normalizeDisplayName(draft.displayName ?? null) ?? null,
    paid: draft.paid ?? false,
    status: draft.status ?? 'active',
    groups: new Map(memberships),
  };
}

export function stateOf({ displayName, paid, status, accessGroups }: FoundMember): MemberState {
  const groups = new Map(accessGroups.map(({ id, expiresAt }) => [id, expiresAt]));
  return { displayName, paid, status, groups };
}

/** The outcome of a row whose member exists. Applies changes of groups to the state. */
export function applyToExisting(
  draft: MemberDraft,
  memberships: ReadonlyMap<string, string | null>,
  state: MemberState,
): Outcome {
  const fields = differencesOf(draft, state);
  if (fields.length > 0) {
    return { status: 'conflict', reason: { code: 'email_taken', values: { fields: fields.join(' ') } } };
  }
  // A row without an end does not change the end.
  const changes = [...memberships].filter(([id, end]) =>
    end === null ? !state.groups.has(id) : state.groups.get(id) !== end,
  );
  for (const [id, end] of changes) state.groups.set(id, end);
  return { status: changes.length > 0 ? 'groupsChanged' : 'unchanged' };
}

/** The fields in which a row may differ from the member. */
export type DifferentField = 'displayName' | 'paid' | 'status';

function differencesOf({ displayName, paid, status }: MemberDraft, state: MemberState): DifferentField[] {
  const isOtherName = displayName !== undefined && normalizeDisplayName(displayName) !== state.displayName;
  return [
    ...(isOtherName ? (['displayName'] as const) : []),
    ...(paid !== undefined && paid !== state.paid ? (['paid'] as const) : []),
    ...(status !== undefined && status !== state.status ? (['status'] as const) : []),
  ];
}
