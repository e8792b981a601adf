import type { Gatehouse, Source } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { findSimilarName } from '../../app/settings/similar-name.ts';
import { argument } from '../shared/output.ts';

/** Finds a source by its name or ID. @throws {CommandFailure} `source_not_found` */
export async function findSource({ sources }: Gatehouse, named: string): Promise<Source> {
  const known: Source[] = [];
  for await (const source of sources.list({ limit: maxPageSize })) known.push(source);
  const found = known.find(({ id }) => id === named.toLowerCase()) ?? known.find(hasName(named));
  if (found) return found;
  const similar = findSimilarName(
    named,
    known.map(({ name }) => name),
  );
  const advice =
    similar === undefined ? 'See ./gatehouse source list.' : `Did you mean ${argument(similar)}?`;
  throw new CommandFailure('source_not_found', `The site has no source "${named}". ${advice}`);
}

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
  const [found, ...others] = all.filter(hasName(named));
  if (others.length === 0) return found;
  const keys = [found!, ...others].map(({ key }) => argument(key));
  throw new WrongUsage(`Several ${noun}s have the name "${named}". Use the key: ${keys.join(', ')}.`);
}

function hasName(wanted: string): (named: { readonly name: string }) => boolean {
  const folded = wanted.trim().normalize('NFC').toLowerCase();
  return ({ name }) => name.trim().normalize('NFC').toLowerCase() === folded;
}

/** A collection that can be chosen. @throws {CommandFailure} `collection_not_found` @throws {WrongUsage} */
export async function findCollection(
  { sources }: Gatehouse,
  { id, name }: Source,
  named: string | undefined,
): Promise<Named> {
  const { collections, complete } = await sources.collections.list(id);
  const list = `See ./gatehouse source collections ${argument(name)}.`;
  if (named === undefined) {
    if (complete && collections.length === 1) return collections[0]!;
    throw new WrongUsage(`Name the collection, because there is not exactly one. ${list}`);
  }
  const found = findNamed(collections, named, 'collection');
  if (found) return found;
  // A large workspace is not always listed completely.
  if (!complete) return { key: named, name: named };
  throw new CommandFailure('collection_not_found', `"${name}" has no collection "${named}". ${list}`);
}
