import { ApiError } from '../../../base/api-error.ts';
import { timestampBefore } from '../../../base/clock.ts';
import type { Change } from '../../events/change.ts';
import { selectPartsOfDeleted } from '../source/deleted-source-store.ts';
import { countParts, deleteParts, selectAbandonedParts } from './list-part-store.ts';

/** Of all lists of a site that are not applied yet. One list has at most 500 parts, and a part at most 1 MiB. */
const maxParts = 2_000;
/** Beyond that, for the last parts of lists that were begun before. */
const maxLastParts = 500;
/** After so long without another part, a list makes room for others. After a day it is deleted in any case. */
const abandonedAfterMilliseconds = 60 * 60_000;
/** Others wait while this many are deleted, because SQLite overwrites each of them. */
export const partsDeletedAtOnce = 10;
/** Meanwhile lists are applied. */
const retryAfterSeconds = 60;

/**
 * Makes room for a part of a list.
 * @throws {ApiError} `rate_limited` if the lists of the site that are not applied yet have too many parts
 */
export async function makeListSpace(change: Change, isLastPart: boolean): Promise<void> {
  const max = isLastPart ? maxParts + maxLastParts : maxParts;
  if ((await countParts(change)) < max) return;
  const time = timestampBefore(change.now, abandonedAfterMilliseconds);
  const ofDeleted = await selectPartsOfDeleted(change, partsDeletedAtOnce);
  if (ofDeleted.length > 0) return deleteParts(change, ofDeleted);
  const abandoned = await selectAbandonedParts(change, time, partsDeletedAtOnce);
  if (abandoned.length > 0) return deleteParts(change, abandoned);
  throw new ApiError(
    'rate_limited',
    `The lists of this site that are not applied yet have ${maxParts.toLocaleString('en-US')} parts together, which is ` +
      'the maximum. Complete those that you have begun, and repeat the request when they are applied. A list that is not ' +
      'continued makes room after an hour.',
    undefined,
    retryAfterSeconds,
  );
}
