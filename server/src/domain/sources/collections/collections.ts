import type { UpdateSource } from '@gatehouse/contract';
import { sourceTypes } from '@gatehouse/contract/source-types';
import { invalidRequest } from '../../../base/api-error.ts';
import type { Change } from '../../events/change.ts';
import type { FieldChange } from '../../events/event.ts';
import type { StoredSource } from '../source/source.ts';
import type { Connector } from '../workspaces/connector.ts';
import type { SourceCollection } from './collection.ts';
import { removeCollections, selectCollections, upsertCollection } from './collection-store.ts';

export type ChosenCollection = NonNullable<UpdateSource['collections']>[number];

/**
 * Chooses the collections of a source; those left out are removed by the synchronization. Returns the change as values
 * of an event. @throws {ApiError} `invalid_request`
 */
export async function chooseCollections(
  change: Change,
  connector: Connector | undefined,
  source: StoredSource,
  chosen: readonly ChosenCollection[],
): Promise<FieldChange[]> {
  const { onlyCollection } = sourceTypes[source.type];
  checkChosen(connector, onlyCollection, chosen);
  const before = await selectCollections(change, source.id);
  const keys = new Set(chosen.map(({ key }) => key));
  for (const { key, columns, ...shown } of chosen) {
    // The next synchronization gives it the name that it has in the workspace.
    const name = onlyCollection === null ? shown.name?.trim() || key : source.name;
    await upsertCollection(change, source.id, { key, name, columns });
  }
  const left = before.filter(({ key, removedAt }) => removedAt === null && !keys.has(key));
  await removeCollections(
    change,
    source.id,
    left.map(({ key }) => key),
  );
  const after = await selectCollections(change, source.id);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ field: 'collections', from: namesOf(before), to: namesOf(after) }];
}

function checkChosen(
  connector: Connector | undefined,
  onlyCollection: string | null,
  chosen: readonly ChosenCollection[],
): void {
  if (!connector) {
    throw invalidRequest('/collections', 'collections: A program decides which collections it uploads.');
  }
  if (new Set(chosen.map(({ key }) => key)).size < chosen.length) {
    throw invalidRequest('/collections', 'collections: The same collection is there twice. Name it once.');
  }
  if (onlyCollection !== null && chosen.some(({ key }) => key !== onlyCollection)) {
    throw invalidRequest(
      '/collections',
      `collections: The only collection of this source is "${onlyCollection}".`,
    );
  }
  for (const [at, { columns }] of chosen.entries()) {
    connector.checkColumns(`/collections/${at}/columns`, columns);
  }
}

function namesOf(collections: readonly SourceCollection[]): string | null {
  const names = collections.filter(({ removedAt }) => removedAt === null).map(({ name }) => name);
  return names.length === 0 ? null : names.join(', ');
}

export {
  deleteCollectionRow as deleteCollection,
  selectCollection as findCollection,
  selectCollections as findCollections,
  updateCollection,
} from './collection-store.ts';
