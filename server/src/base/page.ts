import type { Pagination } from '@gatehouse/contract';

/** A part of a list: a number of items after the one with an id, or the first ones. */
export interface PageQuery {
  readonly after?: string;
  readonly limit: number;
}

export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/**
 * A page of at most `limit` items. `rows` has up to `limit + 1` rows; the extra one shows that there is a next page.
 * @param examinedTo the cursor of the next page of a search that ended with fewer rows before the end of the list
 */
export function toPage<Row, Item extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  examinedTo?: string,
): Page<Item> {
  const page = toPageBy(rows, limit, toItem, ({ id }) => id);
  if (examinedTo === undefined || page.pagination.hasMore) return page;
  return { data: page.data, pagination: { hasMore: true, nextCursor: examinedTo } };
}

/** Like `toPage`, of items that are listed as they are. */
export function pageOf<Item extends { id: string }>(items: readonly Item[], limit: number): Page<Item> {
  return toPage(items, limit, (item) => item);
}

/** Like `toPage`, for lists that are not ordered by the id of their items. */
export function toPageBy<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const hasMore = rows.length > limit;
  const data = (hasMore ? rows.slice(0, limit) : rows).map(toItem);
  return { data, pagination: { hasMore, nextCursor: hasMore ? cursorOf(data.at(-1)!) : null } };
}
