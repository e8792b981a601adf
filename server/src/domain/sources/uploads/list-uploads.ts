import { createHash } from 'node:crypto';
import type { SourceRun } from '@gatehouse/contract';
import { ApiError, invalidRequest } from '../../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../../base/clock.ts';
import { checkName } from '../../../base/text/text.ts';
import type { Queries } from '../../../storage/database.ts';
import type { Change } from '../../events/change.ts';
import { selectCollections, upsertCollection } from '../collections/collection-store.ts';
import { type StoredRun, toSourceRun, type UploadedList } from '../runs/run.ts';
import { selectOpenRuns, selectRuns } from '../runs/run-store.ts';
import { requestRun } from '../runs/runs.ts';
import { lockSource } from '../source/locked-source.ts';
import {
  type ListedPerson,
  type ListId,
  type ListPartKey,
  selectListPartsBefore,
  selectPartNumbers,
  upsertListPart,
} from './list-part-store.ts';
import { makeListSpace, partsDeletedAtOnce } from './list-space.ts';

/** As many as can be chosen from a workspace. */
const maxCollections = 500;

/** A part of the list of everyone in a collection. */
export interface ListPart {
  /** Chosen by the program, the same for all parts of one list. */
  readonly list: string;
  /** Counted from 0. */
  readonly part: number;
  readonly people: readonly ListedPerson[];
  /** The name of the collection, and of its group. */
  readonly name?: string;
  /** Whether this is the last part, so that the list is applied. */
  readonly complete?: boolean;
  readonly dryRun?: boolean;
  readonly confirmRemovals?: boolean;
}

/**
 * Stores a part of a list, and requests its application when it is complete. Repeated for the last part, it returns the
 * run that applies the list.
 * @throws {ApiError} `invalid_request`, `source_not_found`, `source_is_read`, `list_incomplete`, `list_in_use`,
 *   `rate_limited`
 */
export async function uploadListPart(
  change: Change,
  sourceId: string,
  collectionKey: string,
  { list, part, people, complete = false, dryRun = false, confirmRemovals = false, ...named }: ListPart,
): Promise<{ parts: number; run: SourceRun | null }> {
  const collection = checkName('collectionKey', collectionKey);
  const name = checkName('name', (named.name ?? collection).trim().normalize('NFC'));
  const source = await lockSource(change, sourceId);
  if (source.type !== 'program') {
    throw new ApiError(
      'source_is_read',
      'Gatehouse reads this source itself, so that no list can be uploaded.',
    );
  }
  const uploaded: ListId = { sourceId, collection, list };
  const lastPartHash = hashOf({ people, name, dryRun, confirmRemovals });
  const isRepeated = ({ list: applied }: StoredRun) =>
    complete && applied!.parts === part + 1 && applied!.lastPartHash === lastPartHash;
  const applying = await findOpenRun(change, uploaded);
  if (applying && !isRepeated(applying)) throw listInUse();
  const repeated = applying ?? (await findEndedRun(change, uploaded, part, isRepeated));
  if (repeated) return { parts: part + 1, run: toSourceRun(repeated) };
  await makeListSpace(change, complete);
  await upsertListPart(change, uploaded, part, people);
  const parts = await selectPartNumbers(change, uploaded);
  if (!complete) return { parts: parts.length, run: null };
  if (parts.length !== part + 1) {
    throw new ApiError(
      'list_incomplete',
      `The last part is number ${part}, but ${parts.length} parts were uploaded. Upload the missing parts first, ` +
        'counted from 0, or the whole list with another identifier.',
    );
  }
  const known = await selectCollections(change, sourceId);
  if (!dryRun && !known.some(({ key }) => key === collection)) {
    if (known.length >= maxCollections) {
      throw invalidRequest(
        '/collectionKey',
        `collectionKey: A source has at most ${maxCollections} collections. Use another source.`,
      );
    }
    await upsertCollection(change, sourceId, { key: collection, name, columns: null });
    const changes = [{ field: 'collections', from: null, to: name }];
    change.record({ type: 'source.updated', data: { sourceId, changes } });
  }
  const run = await requestRun(change, source, {
    trigger: 'list',
    list: { collection, list, name, parts: part + 1, lastPartHash },
    dryRun,
    removalsConfirmed: confirmRemovals,
  });
  return { parts: parts.length, run };
}

/** The run that applies a list, unless it has ended. */
async function findOpenRun(change: Change, uploaded: ListId): Promise<StoredRun | undefined> {
  const open = await selectOpenRuns(change, uploaded.sourceId);
  return open.find((run) => isOf(run, uploaded));
}

/** The run that has applied a list whose last part is sent again; a new list would have begun with its first part. */
async function findEndedRun(
  change: Change,
  uploaded: ListId,
  part: number,
  isRepeated: (run: StoredRun) => boolean,
): Promise<StoredRun | undefined> {
  if (part === 0 || (await selectPartNumbers(change, uploaded)).length > 0) return undefined;
  const recent = await selectRuns(change, uploaded.sourceId, undefined, recentRuns);
  return recent.find((run) => isOf(run, uploaded) && isRepeated(run));
}

const recentRuns = 100;

function isOf({ list }: StoredRun, uploaded: UploadedList): boolean {
  return list?.collection === uploaded.collection && list.list === uploaded.list;
}

function hashOf(part: object): string {
  return createHash('sha256').update(JSON.stringify(part)).digest('base64url');
}

function listInUse(): ApiError {
  return new ApiError(
    'list_in_use',
    'A list with this identifier is complete and is being applied. Use another identifier for a new list.',
  );
}

/** A few parts of lists that were not completed within a day, over all sites. */
export function findOldListParts(db: Queries, now: Timestamp, limit: number): Promise<ListPartKey[]> {
  return selectListPartsBefore(
    db,
    timestampBefore(now, millisecondsPerDay),
    Math.min(limit, partsDeletedAtOnce),
  );
}

export {
  deleteListParts,
  deleteParts as purgeListParts,
  type ListedPerson,
  type ListId,
  selectListPart as findListPart,
  selectPartNumbers as findPartNumbers,
} from './list-part-store.ts';
