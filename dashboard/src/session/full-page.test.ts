import { describe, expect, test } from 'vitest';
import { fullPage } from './full-page.ts';

/** A list that is read in pages of these ids. */
function listOf(...idsOfPages: string[][]) {
  let read = 0;
  return {
    async *pages() {
      for (const [index, ids] of idsOfPages.entries()) {
        read += 1;
        const hasMore = index < idsOfPages.length - 1;
        yield {
          data: ids.map((id) => ({ id })),
          pagination: { hasMore, nextCursor: hasMore ? `after-${index}` : null },
        };
      }
    },
    get read() {
      return read;
    },
  };
}

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('a full page', () => {
  test('is the first page if that has enough items', async () => {
    const list = listOf(['a', 'b'], ['c']);
    expect(await fullPage(list, 2)).toEqual({
      data: [{ id: 'a' }, { id: 'b' }],
      pagination: { hasMore: true, nextCursor: 'after-0' },
    });
    expect(list.read).toBe(1);
  });

  test('consists of several short pages, and no item is lost at its end', async () => {
    const page = await fullPage(listOf([], ['a'], [], ['b', 'c'], ['d']), 2);
    expect(idsOf(page)).toEqual(['a', 'b']);
    expect(page.pagination).toEqual({ hasMore: true, nextCursor: 'b' });
  });

  test('has all items that are left', async () => {
    const page = await fullPage(listOf(['a'], [], []), 2);
    expect(idsOf(page)).toEqual(['a']);
    expect(page.pagination).toEqual({ hasMore: false, nextCursor: null });
  });
});
