import type { BulkAction, BulkActionResultItem, Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { maxBulkMembers, maxPageSize } from '@gatehouse/contract/limits';
import { isSelected, type Selection } from '../selection.ts';

export interface Watch {
  signal: AbortSignal;
  /** Called with the number of members so far. */
  onProgress: (count: number) => void;
}

/** The matching members that are selected. @throws the reason of the signal when it aborts */
export async function collectMatching(
  gatehouse: Gatehouse,
  selection: Selection,
  filter: ListMembers,
  { signal, onProgress }: Watch,
): Promise<Member[]> {
  const members: Member[] = [];
  // Sorted by a field that never changes: a list sorted by the last change would grow during the iteration.
  const list = gatehouse.members.list({ ...filter, sort: 'createdAt', limit: maxPageSize }, { signal });
  for await (const { data } of list.pages()) {
    members.push(...data.filter(({ id }) => isSelected(selection, id)));
    onProgress(members.length);
  }
  return members;
}

/** One action for some members. */
export interface BulkStep {
  readonly memberIds: readonly string[];
  readonly action: BulkAction;
}

/** The number of members that were changed. */
export interface BulkDone {
  count: number;
  /** Members who were already in the group and now have another end. */
  changed: number;
}

/** The result of a bulk action. */
export interface Outcome {
  /** The changed members, for whom the action can be undone. */
  done: string[];
  /** Members who were already in the group, by the end that they had before. */
  formerEnds: Map<string | null, string[]>;
  unchanged: number;
  /** The reasons of failures, with the number of members. */
  failures: Map<string, { code: string; message: string; count: number }>;
  /** Whether it was stopped before all members were processed. */
  stopped: boolean;
  /** The error that ended it before all members were processed. */
  error: unknown;
}

export function countDone({ done, formerEnds }: Outcome): BulkDone {
  const changed = [...formerEnds.values()].reduce((sum, { length }) => sum + length, 0);
  return { count: done.length, changed };
}

/**
 * Runs actions on many members, in batches. Completed batches remain in effect if it is stopped or a later batch
 * fails. All batches have the same request id, by which their events are shown as one.
 */
export async function actOn(
  gatehouse: Gatehouse,
  steps: readonly BulkStep[],
  { signal, onProgress }: Watch,
): Promise<Outcome> {
  const outcome: Outcome = {
    done: [],
    formerEnds: new Map(),
    unchanged: 0,
    failures: new Map(),
    stopped: false,
    error: undefined,
  };
  const requestId = crypto.randomUUID();
  const batches = steps.flatMap(({ memberIds, action }) =>
    toBatches(memberIds).map((batch) => ({ batch, action })),
  );
  let count = 0;
  for (const { batch, action } of batches) {
    if (signal.aborted) return { ...outcome, stopped: true };
    try {
      // A batch that was sent is not aborted, because its result would be unknown.
      const { data } = await gatehouse.members.bulkApply(batch, action, { requestId });
      for (const item of data) note(outcome, item);
    } catch (error) {
      return { ...outcome, error };
    }
    count += batch.length;
    onProgress(count);
  }
  return outcome;
}

function note(outcome: Outcome, item: BulkActionResultItem): void {
  const { done, formerEnds, failures } = outcome;
  if (item.status === 'unchanged') outcome.unchanged += 1;
  else if (item.status === 'error') {
    const { code, message } = item.error;
    failures.set(code, { code, message, count: (failures.get(code)?.count ?? 0) + 1 });
  } else if (item.previousExpiresAt === undefined) done.push(item.memberId);
  else {
    const others = formerEnds.get(item.previousExpiresAt) ?? [];
    others.push(item.memberId);
    formerEnds.set(item.previousExpiresAt, others);
  }
}

/** The actions that undo a result: the inverse for the changed members, and the former end for those who had one. */
export function stepsBack({ done, formerEnds }: Outcome, undo: BulkAction, now: Date): BulkStep[] {
  const groupId = 'groupId' in undo ? undo.groupId : '';
  const back = [...formerEnds].map(([expiresAt, memberIds]): BulkStep => {
    // Memberships whose former end has passed are removed.
    const isOver = expiresAt !== null && new Date(expiresAt) <= now;
    return { memberIds, action: isOver ? undo : { type: 'set_end_in_group', groupId, expiresAt } };
  });
  return [{ memberIds: done, action: undo }, ...back];
}

/** Splits a list into batches that the API accepts. */
export function toBatches<Item>(items: readonly Item[], size = maxBulkMembers): Item[][] {
  const batches: Item[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
