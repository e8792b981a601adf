import type { Source, SourceRun } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Precondition } from '../../base/precondition.ts';
import { checkName } from '../../base/text.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import { deleteScopeGroup, releaseScopeGroup } from '../access-groups/access-groups.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import {
  deleteParts,
  type ListedPerson,
  type ListPartKey,
  selectListPartsBefore,
  selectPartNumbers,
  upsertListPart,
} from './list-part-store.ts';
import type { UploadedList } from './run.ts';
import { requestRun } from './runs.ts';
import {
  defaultSettings,
  type SourceSettings,
  type StoredSource,
  sourceNotFound,
  toStoredSource,
} from './source.ts';
import { selectSourceGroups } from './source-group-store.ts';
import {
  deleteSourceRows,
  insertSource,
  lockSourceRow,
  selectCollections,
  selectSource,
  selectSourceByName,
  selectSources,
  updateSourceRow,
  upsertCollection,
} from './source-store.ts';

const listName = 'sources';

export interface NewSource extends Partial<Omit<SourceSettings, 'name'>> {
  readonly kind: Source['kind'];
  readonly name: string;
}

/** @throws {ApiError} `invalid_request`, `source_name_taken` */
export async function createSource(change: Change, { kind, ...settings }: NewSource): Promise<Source> {
  const { tx, siteId } = change;
  const id = newId();
  const createdAt = timeOfId(id);
  const source: StoredSource = {
    ...{ id, kind, enabled: true, intervalMinutes: 15, ...defaultSettings, ...settings },
    ...{ name: checkName('name', settings.name.trim().normalize('NFC')), createdAt, updatedAt: createdAt },
  };
  await insertSource(tx, siteId, source).catch(rejectTakenName);
  change.record({ type: 'source.created', data: { source: { id, kind, name: source.name } } });
  return findSource(tx, siteId, id);
}

/** @throws {ApiError} `source_not_found` */
export async function findSource(db: Queries, siteId: string, sourceId: string): Promise<Source> {
  const row = await selectSource(db, siteId, sourceId);
  if (!row) throw sourceNotFound();
  return withCollections(db, siteId, toStoredSource(row));
}

export async function findStoredSource(
  db: Queries,
  siteId: string,
  sourceId: string,
): Promise<StoredSource | undefined> {
  const row = await selectSource(db, siteId, sourceId);
  return row && toStoredSource(row);
}

export async function findSourceByName(
  db: Queries,
  siteId: string,
  name: string,
): Promise<StoredSource | undefined> {
  const row = await selectSourceByName(db, siteId, name);
  return row && toStoredSource(row);
}

export interface SourceQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the sources of a site, newest first. @throws {ApiError} `invalid_cursor` */
export async function listSources(
  db: Queries,
  siteId: string,
  { after, limit }: SourceQuery,
  now: string,
): Promise<Page<Source>> {
  if (after !== undefined && !(await selectSource(db, siteId, after))) {
    await findTombstone(db, siteId, listName, after, now);
  }
  const { data, pagination } = toPage(
    await selectSources(db, siteId, after, limit + 1),
    limit,
    toStoredSource,
  );
  const sources: Source[] = [];
  for (const source of data) sources.push(await withCollections(db, siteId, source));
  return { data: sources, pagination };
}

async function withCollections(db: Queries, siteId: string, source: StoredSource): Promise<Source> {
  const collections = await selectCollections(db, siteId, source.id);
  const groups = await selectSourceGroups(db, siteId, source.id);
  const { enabled: _, intervalMinutes: __, ...shown } = source;
  return {
    ...shown,
    collections: collections.map(({ key, name, removedAt, missingSince }) => ({
      ...{ key, name },
      groupId: groups.find((group) => group.collection === key)?.groupId ?? null,
      missingSince: removedAt ?? missingSince,
    })),
  };
}

export type SourceChanges = Partial<SourceSettings>;

/** @throws {ApiError} `source_not_found`, `source_name_taken`, `invalid_request` */
export async function updateSource(
  change: Change,
  sourceId: string,
  changes: SourceChanges,
  requireMatch: Precondition<Source>,
): Promise<Source> {
  const { tx, siteId, at } = change;
  const before = await lockSource(tx, siteId, sourceId);
  requireMatch(await withCollections(tx, siteId, before));
  const name =
    changes.name === undefined ? before.name : checkName('name', changes.name.trim().normalize('NFC'));
  const after: StoredSource = { ...before, ...changes, name, updatedAt: at };
  const changed = changesBetween(texts(before), texts(after), settingNames);
  if (changed.length > 0) {
    if (name !== before.name && (await selectSourceByName(tx, siteId, name))) throw nameTaken();
    await updateSourceRow(tx, siteId, after).catch(rejectTakenName);
    change.record({ type: 'source.updated', data: { sourceId, changes: changed } });
  }
  return findSource(tx, siteId, sourceId);
}

/** What becomes of the groups of a source that is deleted. */
export type GroupsOfDeletedSource = 'keep' | 'delete';

/**
 * Deletes a source. Its groups become custom groups with the same members, or are deleted with their memberships; the
 * members remain. @throws {ApiError} `source_not_found`
 */
export async function deleteSource(
  change: Change,
  sourceId: string,
  groups: GroupsOfDeletedSource,
  requireMatch: Precondition<Source>,
): Promise<void> {
  const { tx, siteId } = change;
  const source = await lockSource(tx, siteId, sourceId);
  requireMatch(await withCollections(tx, siteId, source));
  const ofSource = await selectSourceGroups(tx, siteId, sourceId);
  await deleteSourceRows(tx, siteId, sourceId);
  for (const { groupId } of ofSource) {
    if (groups === 'keep') await releaseScopeGroup(change, groupId);
    else await deleteScopeGroup(change, groupId);
  }
  await addTombstones(change, [{ list: listName, id: sourceId }]);
  change.record({ type: 'source.deleted', data: { sourceId, name: source.name } });
}

/** A part of the list of everybody in a collection. */
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
 * Stores a part of a list, and asks for its application when it is complete.
 * @throws {ApiError} `invalid_request`, `source_not_found`, `source_is_read`, `list_incomplete`
 */
export async function uploadListPart(
  change: Change,
  sourceId: string,
  collectionKey: string,
  { list, part, people, complete = false, dryRun = false, confirmRemovals = false, ...named }: ListPart,
): Promise<{ parts: number; run: SourceRun | null }> {
  const { tx, siteId, at } = change;
  const collection = checkName('collectionKey', collectionKey);
  const name = checkName('name', (named.name ?? collection).trim().normalize('NFC'));
  const source = await lockSource(tx, siteId, sourceId);
  if (source.kind !== 'program') {
    throw new ApiError(
      'source_is_read',
      'Gatehouse reads this source itself, so that no list can be uploaded.',
    );
  }
  const uploaded: UploadedList = { collection, list };
  await upsertListPart(tx, siteId, sourceId, uploaded, part, people, at);
  const parts = await selectPartNumbers(tx, siteId, sourceId, uploaded);
  if (!complete) return { parts: parts.length, run: null };
  if (parts.length !== part + 1) {
    throw new ApiError(
      'list_incomplete',
      `The last part is number ${part}, but ${parts.length} parts were uploaded. Upload the missing parts first, ` +
        'counted from 0.',
    );
  }
  const known = await selectCollections(tx, siteId, sourceId);
  if (!dryRun && !known.some(({ key }) => key === collection)) {
    await upsertCollection(tx, siteId, sourceId, { key: collection, name });
    const changes = [{ field: 'collections', from: null, to: name }];
    change.record({ type: 'source.updated', data: { sourceId, changes } });
  }
  const run = await requestRun(change, source, {
    ...{ trigger: 'list', list: { ...uploaded, name }, dryRun, removalsConfirmed: confirmRemovals },
  });
  return { parts: parts.length, run };
}

/** A few parts of lists that were not completed within a day, over all sites. */
export function findOldListParts(db: Queries, now: Timestamp, limit: number): Promise<ListPartKey[]> {
  return selectListPartsBefore(db, timestampBefore(now, millisecondsPerDay), limit);
}

export function purgeListParts({ tx, siteId }: Change, keys: readonly ListPartKey[]): Promise<void> {
  return deleteParts(tx, siteId, keys);
}

/** @throws {ApiError} `source_not_found` */
async function lockSource(tx: Transaction, siteId: string, sourceId: string): Promise<StoredSource> {
  const row = await lockSourceRow(tx, siteId, sourceId);
  if (!row) throw sourceNotFound();
  return toStoredSource(row);
}

const settingNames = [
  'name',
  'maxRemovedPeople',
  'maxRemovedPercent',
  'graceDays',
  'leavers',
] as const satisfies readonly (keyof SourceSettings)[];

/** The settings as values of events. */
function texts(source: StoredSource) {
  const { maxRemovedPeople, maxRemovedPercent, graceDays } = source;
  return {
    ...source,
    maxRemovedPeople: String(maxRemovedPeople),
    maxRemovedPercent: String(maxRemovedPercent),
    graceDays: String(graceDays),
  };
}

function rejectTakenName(error: unknown): never {
  throw isUniqueViolation(error, 'sources_name') ? nameTaken() : error;
}

function nameTaken(): ApiError {
  return new ApiError('source_name_taken', 'A source with this name already exists. Choose another name.');
}
