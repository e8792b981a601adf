import type { CollectionColumns, Source, UpdateSource } from '@gatehouse/client';

/** What is chosen and not yet saved. */
export interface Draft {
  /** The keys of the chosen collections. */
  readonly chosen: readonly string[];
  /** The names in the workspace by key, as far as they were seen. */
  readonly names: Readonly<Record<string, string>>;
  /** The columns of each collection by its key, also of those that are not chosen any more. */
  readonly columns: Readonly<Record<string, CollectionColumns>>;
  readonly isChanged: boolean;
}

/** @param onlyCollection the key of the only collection that the source can have; null if it may have many */
export function draftOf(source: Source | undefined, onlyCollection: string | null): Draft {
  const collections = source?.collections.filter(({ missingSince }) => missingSince === null) ?? [];
  return {
    chosen: onlyCollection !== null ? [onlyCollection] : collections.map(({ key }) => key),
    names: {},
    columns: Object.fromEntries(collections.flatMap(({ key, columns }) => (columns ? [[key, columns]] : []))),
    isChanged: false,
  };
}

export function toCollections({ chosen, names, columns }: Draft): NonNullable<UpdateSource['collections']> {
  return chosen.flatMap((key) => {
    const name = names[key];
    return columns[key] ? [{ key, ...(name && { name }), columns: columns[key] }] : [];
  });
}
