import type { BulkAction, Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { inLots } from '../../parts/lots.ts';
import { isSelected, type Selection } from './selection.ts';

const largestPage = 100;

export interface Watch {
  signal: AbortSignal;
  /** Called with how many there are so far. */
  onProgress: (count: number) => void;
}

/** Who is selected, from all pages of the list. @throws the reason of the signal when it aborts */
export async function collectIds(
  gatehouse: Gatehouse,
  selection: Selection,
  filter: ListMembers,
  watch: Watch,
) {
  if (!selection.all) return [...selection.members];
  return (await collectMatching(gatehouse, selection, filter, watch)).map(({ id }) => id);
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

/** What became of many members. */
export interface Outcome {
  /** Those to whom it was done: what can be undone. */
  done: string[];
  unchanged: number;
  /** Why it was not done to some, with how many they are. */
  failures: Map<string, { code: string; message: string; count: number }>;
  /** Whether it was stopped before it came to all. */
  stopped: boolean;
  /** What ended it before it came to all. */
  error: unknown;
}

/** Does one thing to many members, in lots. What is done stays done when it is stopped, or when a later lot fails. */
export async function actOn(
  gatehouse: Gatehouse,
  memberIds: readonly string[],
  action: BulkAction,
  { signal, onProgress }: Watch,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], unchanged: 0, failures: new Map(), stopped: false, error: undefined };
  let count = 0;
  for (const lot of inLots(memberIds)) {
    if (signal.aborted) return { ...outcome, stopped: true };
    try {
      // A lot that is on its way is not torn: nobody would know what became of it.
      const { data, summary } = await gatehouse.members.bulkAction(lot, action);
      outcome.unchanged += summary.unchanged;
      for (const item of data) {
        if (item.status === 'done') outcome.done.push(item.memberId);
        if (item.status !== 'error') continue;
        const { code, message } = item.error;
        const failure = outcome.failures.get(code) ?? { code, message, count: 0 };
        outcome.failures.set(code, { ...failure, count: failure.count + 1 });
      }
    } catch (error) {
      return { ...outcome, error };
    }
    count += lot.length;
    onProgress(count);
  }
  return outcome;
}
