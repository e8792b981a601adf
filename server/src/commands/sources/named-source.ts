import type { AvailableCollections, Source } from '@gatehouse/contract';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import type { SiteApi } from '../api/calls/site-api.ts';
import { argument } from '../shared/output.ts';

interface Named {
  readonly key: string;
  readonly name: string;
}

/**
 * Finds a collection or a column by its key or name; undefined if there is none.
 * @param noun what it is, for the message
 * @throws {WrongUsage} if several have this name
 */
export function findNamed<T extends Named>(all: readonly T[], named: string, noun: string): T | undefined {
  const byKey = all.find(({ key }) => key === named);
  if (byKey) return byKey;
  const [found, ...others] = all.filter(({ name }) => folded(name) === folded(named));
  if (others.length === 0) return found;
  const keys = [found!, ...others].map(({ key }) => argument(key));
  throw new WrongUsage(`Several ${noun}s have the name "${named}". Use the key: ${keys.join(', ')}.`);
}

function folded(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** A collection of a workspace, or its only one. @throws {CommandFailure} `collection_not_found` @throws {WrongUsage} */
export async function findCollection(
  api: SiteApi,
  sourceId: string,
  named: string | undefined,
): Promise<Named> {
  const { data } = (await api.send('listSourceCollections', { params: { sourceId } })) as {
    data: AvailableCollections;
  };
  const { collections, complete } = data;
  if (named === undefined && complete && collections.length === 1) return collections[0]!;
  const found = named === undefined ? undefined : findNamed(collections, named, 'collection');
  if (found) return found;
  // A large workspace is not always listed completely.
  if (named !== undefined && !complete) return { key: named, name: named };
  const { name } = await findSource(api, sourceId);
  const list = `See ./gatehouse sources collections list ${argument(name)}.`;
  if (named === undefined)
    throw new WrongUsage(`Name the collection, because there is not exactly one. ${list}`);
  throw new CommandFailure('collection_not_found', `"${name}" has no collection "${named}". ${list}`);
}

export async function findSource(api: SiteApi, sourceId: string): Promise<Source> {
  return ((await api.send('getSource', { params: { sourceId } })) as { data: Source }).data;
}
