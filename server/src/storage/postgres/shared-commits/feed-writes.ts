import type { FeedWriter, Transaction } from '../../database.ts';

/** The tables of the event feed. A row in them stays locked until the commit, so they are written last. */
export const feedTables = ['events', 'event_heads', 'activity_counts'] as const;

const feedTable = new RegExp(`\\b(${feedTables.join('|')})\\b`, 'i');

/** Whether a statement may read or change the feed. No view, trigger or key of another table leads to it. */
export function namesFeed(text: string): boolean {
  return feedTable.test(text);
}

/** Items that a piece of work has left to be written to the feed. */
export interface FeedWrite {
  readonly items: readonly unknown[];
  readonly write: FeedWriter<unknown>;
}

/** Writes what several pieces of work have left, all items with the same writer at once. */
export async function writeFeed(transaction: Transaction, writes: readonly FeedWrite[]): Promise<void> {
  for (const [write, same] of Map.groupBy(writes, (each) => each.write)) {
    await write(
      transaction,
      same.flatMap(({ items }) => items),
    );
  }
}
