import type { CollectionColumns, Source, UpdateSource } from '@gatehouse/client';

/** The only collection of a list. */
export const listKey = 'list';

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

export function draftOf(source: Source | undefined, isList: boolean): Draft {
  const collections = source?.collections.filter(({ missingSince }) => missingSince === null) ?? [];
  return {
    chosen: isList ? [listKey] : collections.map(({ key }) => key),
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
