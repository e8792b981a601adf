export const pageSize = 100;

/** The cursor of each known page of a list. */
export interface Chain {
  /** The cursor that each page starts after; the first page has none. */
  readonly cursors: readonly (string | undefined)[];
  /** The number of items; null until the end is known. */
  readonly total: number | null;
}

export const beginning: Chain = { cursors: [undefined], total: null };

/** Adds the next cursor of a page. If it differs from the known one, the cursors of later pages are discarded. */
export function withPage(
  chain: Chain,
  index: number,
  page: { data: readonly unknown[]; pagination: { nextCursor: string | null } },
): Chain {
  const { cursors, total } = chain;
  if (index >= cursors.length) return chain;
  const upToHere = cursors.slice(0, index + 1);
  const { nextCursor } = page.pagination;
  if (nextCursor !== null) {
    return cursors[index + 1] === nextCursor ? chain : { cursors: [...upToHere, nextCursor], total: null };
  }
  const seen = index * pageSize + page.data.length;
  return total === seen && upToHere.length === cursors.length ? chain : { cursors: upToHere, total: seen };
}

/**
 * The ids of a range in the pages of a list, the end of the range last. Only the end if the begin is not in the list any
 * more.
 */
export function rangeOf(
  pages: readonly (readonly string[])[],
  begin: string | undefined,
  end: string,
): string[] {
  const ids = pages.flat();
  const from = begin === undefined ? -1 : ids.indexOf(begin);
  const to = ids.indexOf(end);
  if (from === -1 || to === -1) return [end];
  return from <= to ? ids.slice(from, to + 1) : ids.slice(to, from + 1).reverse();
}

/** The row of an item. */
export interface Place {
  readonly index: number;
  /** Undefined while it is not loaded. */
  readonly id: string | undefined;
}

/**
 * Where an item is after items before it were added or deleted; undefined if it is not in the list any more.
 * @param idAt the id of the item at an index; undefined if it is not loaded
 */
export function presentIndex(
  { index, id }: Place,
  idAt: (index: number) => string | undefined,
): number | undefined {
  const there = idAt(index);
  if (id === undefined || there === undefined || there === id) return index;
  for (let distance = 1; distance < pageSize; distance++) {
    if (idAt(index + distance) === id) return index + distance;
    if (idAt(index - distance) === id) return index - distance;
  }
  return undefined;
}
