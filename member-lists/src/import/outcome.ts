import type { FoundMember, MemberStatus } from '@gatehouse/client';
import { type ChangeableValues, changedValues, type ValueChange } from '../reading/listed-values.ts';
import type { MemberDraft } from '../reading/member-draft.ts';
import type { Reason } from '../reading/reasons.ts';

/**
 * The outcome of a row. `unchanged`: the member exists with the same values. `groupsChanged`: the same, but the member
 * is added to groups or memberships get another end. `updated`: the member gets another name, or has paid or not, as
 * the list says. `merged`: an earlier row of the same person has the values of this one too. `leftOut`: not imported
 * because of the state in the other system. `conflict`: the member exists with other values. `invalid`: the row cannot
 * be used.
 */
export type ImportStatus = Outcome['status'];

export type Outcome =
  | { readonly status: 'created' | 'unchanged' | 'leftOut' }
  | { readonly status: 'groupsChanged' | 'updated'; readonly changes: readonly Change[] }
  | { readonly status: 'merged' /** Of the earlier row. */; readonly line: number }
  | { readonly status: 'conflict' | 'invalid'; readonly reason: Reason };

/** A change of a member who exists. */
export type Change = ValueChange | MembershipChange;

/** A new membership, or another end of one. */
export interface MembershipChange {
  readonly field: 'group';
  readonly groupId: string;
  readonly isNew: boolean;
  /** The ends; null for never. */
  readonly from: string | null;
  readonly to: string | null;
}

export type Failure = Extract<Outcome, { reason: Reason }>;

export function isFailure(outcome: Outcome): outcome is Failure {
  return 'reason' in outcome;
}

/** The changes of a member who exists; none for other outcomes. */
export function changesOf(outcome: Outcome): readonly Change[] {
  return 'changes' in outcome ? outcome.changes : [];
}

/** The outcome of a row that nothing is sent for; undefined for the others. */
export function outcomeOfUnused({ problem, isLeftOut, mergedInto }: MemberDraft): Outcome | undefined {
  if (problem) return { status: 'invalid', reason: problem };
  if (mergedInto !== undefined) return { status: 'merged', line: mergedInto };
  return isLeftOut ? { status: 'leftOut' } : undefined;
}

/** The fields of a member that an import needs. */
export interface MemberState extends ChangeableValues {
  readonly status: MemberStatus;
  /** The end of each membership, null for never, by group id. */
  readonly groups: ReadonlyMap<string, string | null>;
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

export function stateOf({ accessGroups, ...member }: FoundMember): MemberState {
  return { ...member, groups: new Map(accessGroups.map(({ id, expiresAt }) => [id, expiresAt])) };
}

/**
 * The outcome of a row whose member exists.
 * @param updates whether the name of the member, and whether they are paying, follow the list; the status never does
 */
export function outcomeForExisting(
  draft: MemberDraft,
  memberships: ReadonlyMap<string, string | null>,
  state: MemberState,
  updates: boolean,
): Outcome {
  const values = changedValues(draft, state);
  const hasOtherStatus = draft.status !== undefined && draft.status !== state.status;
  if (hasOtherStatus || (values.length > 0 && !updates)) {
    const fields = [...values.map(({ field }) => field), ...(hasOtherStatus ? ['status'] : [])];
    return { status: 'conflict', reason: { code: 'email_taken', values: { fields: fields.join(' ') } } };
  }
  const changes = [...values, ...membershipChanges(memberships, state)];
  if (values.length > 0) return { status: 'updated', changes };
  return changes.length > 0 ? { status: 'groupsChanged', changes } : { status: 'unchanged' };
}

/** A row without an end does not change the end. */
function membershipChanges(
  memberships: ReadonlyMap<string, string | null>,
  { groups }: MemberState,
): MembershipChange[] {
  return [...memberships].flatMap(([groupId, to]) => {
    const isNew = !groups.has(groupId);
    const from = groups.get(groupId) ?? null;
    return isNew || (to !== null && to !== from)
      ? [{ field: 'group' as const, groupId, isNew, from, to }]
      : [];
  });
}
