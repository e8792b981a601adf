import type { List, Page } from '@gatehouse/client';

/**
 * A page with `size` items, or all that are left. A search in a large site ends with a shorter page when it has examined
 * many members.
 */
export async function fullPage<Item extends { id: string }>(
  list: Pick<List<Item>, 'pages'>,
  size: number,
): Promise<Page<Item>> {
  const data: Item[] = [];
  for await (const page of list.pages()) {
    data.push(...page.data);
    if (data.length > size) break;
    if (data.length === size || !page.pagination.hasMore) return { data, pagination: page.pagination };
  }
  const items = data.slice(0, size);
  return { data: items, pagination: { hasMore: true, nextCursor: items.at(-1)!.id } };
}
