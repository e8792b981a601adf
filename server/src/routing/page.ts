import type { Pagination } from '@gatehouse/contract';

export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/** A page of at most `limit` items, from up to one more than that. */
export function toPage<Row, Item extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const hasMore = rows.length > limit;
  const data = (hasMore ? rows.slice(0, limit) : rows).map(toItem);
  return { data, pagination: { hasMore, nextCursor: hasMore ? data.at(-1)!.id : null } };
}
