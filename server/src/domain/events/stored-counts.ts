import type { Timestamp } from '../../base/clock.ts';
import type { Queries } from '../../storage/database.ts';
import type { Change } from './change.ts';
import { deleteActivityBefore, selectActivityBefore } from './site-count-store.ts';
import { activityPurgedUntil } from './site-counts.ts';

/** A few counts of activity that no overview shows any more, over all sites. */
export function findOldActivity(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ siteId: string; startsAt: Timestamp }[]> {
  return selectActivityBefore(db, activityPurgedUntil(now), limit);
}

/** Deletes the activity that was found, oldest first. */
export async function purgeActivity(
  change: Change,
  found: readonly { readonly startsAt: Timestamp }[],
): Promise<void> {
  await deleteActivityBefore(change, found.at(-1)!.startsAt);
}

export {
  type ActivityOfSpan,
  selectMemberCounts as findMemberCounts,
  sumActivity,
} from './site-count-store.ts';
