import type { CollectionColumns, UpdateSource } from '@gatehouse/contract';
import { knownExportNames } from '@gatehouse/member-lists';
import { invalidRequest } from '../../base/api-error.ts';
import type { Change } from '../events/change.ts';
import type { FieldChange } from '../events/event.ts';
import { listKey } from './list/list-key.ts';
import { isExportName } from './list/list-mapping.ts';
import type { SourceCollection, StoredSource } from './source.ts';
import { removeCollections, selectCollections, upsertCollection } from './source-store.ts';

export type ChosenCollection = NonNullable<UpdateSource['collections']>[number];

/**
 * Chooses the collections of a source; those left out are removed by the synchronization. Returns the change as values
 * of an event. @throws {ApiError} `invalid_request`
 */
export async function chooseCollections(
  { tx, siteId, at }: Change,
  source: StoredSource,
  chosen: readonly ChosenCollection[],
): Promise<FieldChange[]> {
  checkChosen(source, chosen);
  const before = await selectCollections(tx, siteId, source.id);
  const keys = new Set(chosen.map(({ key }) => key));
  for (const { key, columns, ...shown } of chosen) {
    // The next synchronization gives it the name that it has in the workspace.
    const name = source.kind === 'list' ? source.name : shown.name?.trim() || key;
    await upsertCollection(tx, siteId, source.id, { key, name, columns });
  }
  const left = before.filter(({ key, removedAt }) => removedAt === null && !keys.has(key));
  await removeCollections(
    tx,
    siteId,
    source.id,
    left.map(({ key }) => key),
    at,
  );
  const after = await selectCollections(tx, siteId, source.id);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ field: 'collections', from: namesOf(before), to: namesOf(after) }];
}

function checkChosen({ kind }: StoredSource, chosen: readonly ChosenCollection[]): void {
  if (kind === 'program') {
    throw invalidRequest('/collections', 'collections: A program decides which collections it uploads.');
  }
  if (new Set(chosen.map(({ key }) => key)).size < chosen.length) {
    throw invalidRequest('/collections', 'collections: The same collection is there twice. Name it once.');
  }
  if (kind === 'list' && chosen.some(({ key }) => key !== listKey)) {
    throw invalidRequest('/collections', `collections: The only collection of a list is "${listKey}".`);
  }
  for (const [at, { columns }] of chosen.entries()) checkColumns(kind, at, columns);
}

/** The fields of `CollectionColumns` that only lists at an address have. */
const listColumns = [
  'firstName',
  'groupsEndAt',
  'furtherGroups',
  'groupColumns',
  'groupSeparator',
  'status',
  'statusWords',
  'dateOrder',
  'export',
  'exportColumns',
] as const satisfies readonly (keyof CollectionColumns)[];

function checkColumns(kind: StoredSource['kind'], at: number, columns: CollectionColumns): void {
  const path = `/collections/${at}/columns`;
  const isUsed = (name: (typeof listColumns)[number]) =>
    columns[name] !== undefined && columns[name] !== null;
  const unusable = kind === 'list' ? undefined : listColumns.find(isUsed);
  if (unusable) {
    throw invalidRequest(`${path}/${unusable}`, `${unusable}: Only lists at a URL have it. Leave it out.`);
  }
  if (typeof columns.export === 'string' && !isExportName(columns.export)) {
    throw invalidRequest(
      `${path}/export`,
      `export: There is no known export with this name: ${knownExportNames.join(', ')}. Correct it, or leave it out.`,
    );
  }
}

function namesOf(collections: readonly SourceCollection[]): string | null {
  const names = collections.filter(({ removedAt }) => removedAt === null).map(({ name }) => name);
  return names.length === 0 ? null : names.join(', ');
}
