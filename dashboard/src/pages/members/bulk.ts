import type { BulkAction, BulkActionResultItem, Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { inLots } from '../../parts/lots.ts';
import { isSelected, type Selection } from './selection.ts';

const largestPage = 100;

export interface Watch {
  signal: AbortSignal;
  /** Called with how many there are so far. */
  onProgress: (count: number) => void;
}

/** The members who match and are selected. @throws the reason of the signal when it aborts */
export async function collectMatching(
  gatehouse: Gatehouse,
  selection: Selection,
  filter: ListMembers,
  { signal, onProgress }: Watch,
): Promise<Member[]> {
  const members: Member[] = [];
  // By what never changes: a list that is sorted by the last change would grow behind us.
  const list = gatehouse.members.list({ ...filter, sort: 'createdAt', limit: largestPage }, { signal });
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

/** To how many something was done. */
export interface BulkDone {
  count: number;
  /** Members who were in the group already, and have another end now. */
  changed: number;
}

/** What became of many members. */
export interface Outcome {
  /** Those to whom it was done: what can be undone. */
  done: string[];
  /** Those who were in the group already, by the end that they had before. */
  formerEnds: Map<string | null, string[]>;
  unchanged: number;
  /** Why it was not done to some, with how many they are. */
  failures: Map<string, { code: string; message: string; count: number }>;
  /** Whether it was stopped before it came to all. */
  stopped: boolean;
  /** What ended it before it came to all. */
  error: unknown;
}

export function countDone({ done, formerEnds }: Outcome): BulkDone {
  const changed = [...formerEnds.values()].reduce((sum, { length }) => sum + length, 0);
  return { count: done.length, changed };
}

/**
 * Does things to many members, in lots. What is done stays done when it is stopped, or when a later lot fails. All lots
 * go under one request id, by which their events are told as one.
 */
export async function actOn(
  gatehouse: Gatehouse,
  steps: readonly BulkStep[],
  { signal, onProgress }: Watch,
): Promise<Outcome> {
  const outcome: Outcome = {
    ...{ done: [], formerEnds: new Map(), unchanged: 0, failures: new Map() },
    ...{ stopped: false, error: undefined },
  };
  const requestId = crypto.randomUUID();
  const lots = steps.flatMap(({ memberIds, action }) => inLots(memberIds).map((lot) => ({ lot, action })));
  let count = 0;
  for (const { lot, action } of lots) {
    if (signal.aborted) return { ...outcome, stopped: true };
    try {
      // A lot that is on its way is not torn: nobody would know what became of it.
      const { data } = await gatehouse.members.bulkAction(lot, action, { requestId });
      for (const item of data) note(outcome, item);
    } catch (error) {
      return { ...outcome, error };
    }
    count += lot.length;
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

/** What takes an outcome back: from those to whom it was done, and each former end to those who had it. */
export function stepsBack({ done, formerEnds }: Outcome, undo: BulkAction, now: Date): BulkStep[] {
  const groupId = 'groupId' in undo ? undo.groupId : '';
  const back = [...formerEnds].map(([expiresAt, memberIds]): BulkStep => {
    // Who would have left by now leaves.
    const isOver = expiresAt !== null && new Date(expiresAt) <= now;
    return { memberIds, action: isOver ? undo : { type: 'add_to_group', groupId, expiresAt } };
  });
  return [{ memberIds: done, action: undo }, ...back];
}
