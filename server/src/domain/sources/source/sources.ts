import type { Source, UpdateSource } from '@gatehouse/contract';
import { sourceTypes } from '@gatehouse/contract/source-types';
import type { Precondition } from '../../../base/api-error.ts';
import { ApiError } from '../../../base/api-error.ts';
import { newId, timeOfId } from '../../../base/ids.ts';
import { type Page, type PageQuery, pageOf } from '../../../base/page.ts';
import { checkName } from '../../../base/text/text.ts';
import { isUniqueViolation } from '../../../storage/errors.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { deleteScopeGroup, releaseScopeGroup } from '../../access-groups/access-groups.ts';
import { addTombstones, findTombstone } from '../../cursors/cursor-tombstones.ts';
import type { Change } from '../../events/change.ts';
import { changesBetween } from '../../events/event.ts';
import { selectCollections } from '../collections/collection-store.ts';
import { chooseCollections } from '../collections/collections.ts';
import { selectSourceGroups } from '../groups/source-group-store.ts';
import { planRunAfterUpdate } from '../runs/next-run.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { insertDeletedSource } from './deleted-source-store.ts';
import { lockSource } from './locked-source.ts';
import { defaultSettings, type SourceSettings, type StoredSource, sourceNotFound } from './source.ts';
import { type Connection, connect, type SubmittedConnection } from './source-connection.ts';
import {
  deleteSourceRows,
  insertSource,
  selectSource,
  selectSourceByName,
  selectSources,
  updateSourceRow,
} from './source-store.ts';

const listName = 'sources';

export interface NewSource extends Partial<Omit<SourceSettings, 'name'>>, SubmittedConnection {
  readonly type: Source['type'];
  readonly name: string;
}

/**
 * @param workspaces needed for every type of source that Gatehouse reads
 * @throws {ApiError} `invalid_request`, `source_name_taken`
 */
export async function createSource(
  change: Change,
  { type, token, address, ...settings }: NewSource,
  workspaces?: Workspaces,
): Promise<Source> {
  const { siteId } = change;
  const id = newId();
  const createdAt = timeOfId(id);
  const source: StoredSource = {
    id,
    type,
    ...defaultSettings,
    ...settings,
    name: normalizedName(settings.name),
    ...connect(workspaces, siteId, { id, type }, { token, address }),
    createdAt,
    updatedAt: createdAt,
  };
  await insertSource(change, source).catch(rejectTakenName);
  await planRunAfterUpdate(change, source);
  change.record({ type: 'source.created', data: { source: { id, type, name: source.name } } });
  return findSource(change, id);
}

/** @throws {ApiError} `source_not_found` */
export async function findSource(view: SiteData, sourceId: string): Promise<Source> {
  return withCollections(view, await findStoredSource(view, sourceId));
}

/** @throws {ApiError} `source_not_found` */
export async function findStoredSource(view: SiteData, sourceId: string): Promise<StoredSource> {
  const source = await selectSource(view, sourceId);
  if (!source) throw sourceNotFound();
  return source;
}

export {
  selectSource as findSourceIfExists,
  selectSourceByName as findSourceByName,
  selectSourceNames as findSourceNames,
} from './source-store.ts';

/** Lists the sources of a site, newest first. @throws {ApiError} `invalid_cursor` */
export async function listSources(view: SiteView, { after, limit }: PageQuery): Promise<Page<Source>> {
  if (after !== undefined && !(await selectSource(view, after))) {
    await findTombstone(view, listName, after);
  }
  const { data, pagination } = pageOf(await selectSources(view, after, limit + 1), limit);
  const sources: Source[] = [];
  for (const source of data) sources.push(await withCollections(view, source));
  return { data: sources, pagination };
}

async function withCollections(view: SiteData, source: StoredSource): Promise<Source> {
  const collections = await selectCollections(view, source.id);
  const groups = await selectSourceGroups(view, source.id);
  const ownGroups = new Map(groups.map(({ collection, groupId }) => [collection, groupId]));
  const { secret: _, webhookActive: __, webhookAwaitedUntil: ___, ...shown } = source;
  return {
    ...shown,
    collections: collections.map(({ key, name, columns, removedAt, missingSince }) => ({
      key,
      name,
      columns,
      groupId: ownGroups.get(key) ?? null,
      chosen: removedAt === null,
      missingSince: removedAt ?? missingSince,
    })),
  };
}

/** @throws {ApiError} `source_not_found`, `source_name_taken`, `invalid_request` */
export async function updateSource(
  change: Change,
  workspaces: Workspaces,
  sourceId: string,
  { token, address, collections, ...settings }: UpdateSource,
  requireMatch: Precondition<Source>,
): Promise<Source> {
  const { now } = change;
  const before = await lockSource(change, sourceId);
  requireMatch(await withCollections(change, before));
  const name = settings.name === undefined ? before.name : normalizedName(settings.name);
  const connection = reconnect(change, workspaces, before, { token, address });
  const after: StoredSource = { ...before, ...settings, name, ...connection, updatedAt: now };
  const changed = [
    ...changesBetween(texts(before), texts(after), settingNames),
    ...(connection
      ? [{ field: sourceTypes[before.type].connectionField!, from: before.host, to: after.host }]
      : []),
    ...(collections
      ? await chooseCollections(change, workspaces.connectorOf(before.type), before, collections)
      : []),
  ];
  if (changed.length > 0) {
    if (name !== before.name && (await selectSourceByName(change, name))) throw nameTaken();
    await updateSourceRow(change, after).catch(rejectTakenName);
    await planRunAfterUpdate(change, after);
    change.record({ type: 'source.updated', data: { sourceId, changes: changed } });
  }
  return findSource(change, sourceId);
}

/** The connection with a new token or address; undefined if none was submitted. */
function reconnect(
  { siteId }: Change,
  workspaces: Workspaces,
  source: StoredSource,
  submitted: SubmittedConnection,
): Connection | undefined {
  if (submitted.token === undefined && submitted.address === undefined) return undefined;
  return connect(workspaces, siteId, source, submitted);
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
  const source = await lockSource(change, sourceId);
  requireMatch(await withCollections(change, source));
  const ofSource = await selectSourceGroups(change, sourceId);
  await deleteSourceRows(change, sourceId);
  await insertDeletedSource(change, sourceId);
  for (const { groupId } of ofSource) {
    if (groups === 'keep') await releaseScopeGroup(change, groupId);
    else await deleteScopeGroup(change, groupId);
  }
  await addTombstones(change, [{ list: listName, id: sourceId }]);
  change.record({ type: 'source.deleted', data: { sourceId, name: source.name } });
}

function normalizedName(name: string): string {
  return checkName('name', name.trim().normalize('NFC'));
}

const settingNames = [
  'name',
  'enabled',
  'intervalMinutes',
  'maxRemovedPeople',
  'maxRemovedPercent',
  'graceDays',
  'onLeave',
] as const satisfies readonly (keyof SourceSettings)[];

/** The settings as values of events. */
function texts(source: StoredSource) {
  const { intervalMinutes, maxRemovedPeople, maxRemovedPercent, graceDays } = source;
  return {
    ...source,
    intervalMinutes: String(intervalMinutes),
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
