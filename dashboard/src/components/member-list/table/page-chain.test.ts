import { describe, expect, test } from 'vitest';
import { beginning, type Chain, pageSize, presentIndex, rangeOf, withPage } from './page-chain.ts';

const page = (nextCursor: string | null, length = pageSize) => ({
  data: Array(length).fill(null),
  pagination: { nextCursor },
});

describe('the pages of a list that is too long to be kept in memory', () => {
  test('each page gives the cursor of the next one, and the last one gives the number of items', () => {
    const two = withPage(beginning, 0, page('a'));
    expect(two).toEqual({ cursors: [undefined, 'a'], total: null });
    expect(withPage(two, 1, page(null, 7))).toEqual({ cursors: [undefined, 'a'], total: pageSize + 7 });
  });

  test('a page that is already known changes nothing', () => {
    const chain: Chain = { cursors: [undefined, 'a'], total: 107 };
    expect(withPage(chain, 0, page('a'))).toBe(chain);
    expect(withPage(chain, 1, page(null, 7))).toBe(chain);
  });

  test('a page that ends elsewhere than before does not cause duplicate items', () => {
    const chain: Chain = { cursors: [undefined, 'a', 'b', 'c'], total: 350 };
    expect(withPage(chain, 1, page('x'))).toEqual({ cursors: [undefined, 'a', 'x'], total: null });
    expect(withPage(chain, 1, page(null, 3))).toEqual({ cursors: [undefined, 'a'], total: 103 });
    expect(withPage({ cursors: [undefined], total: 3 }, 2, page('c'))).toEqual({
      cursors: [undefined],
      total: 3,
    });
  });

  test('a range includes the rows between its begin and its end in both directions, also over pages', () => {
    const pages = [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ];
    expect(rangeOf(pages, 'b', 'd')).toEqual(['b', 'c', 'd']);
    expect(rangeOf(pages, 'd', 'b')).toEqual(['d', 'c', 'b']);
    expect(rangeOf(pages, 'e', 'e')).toEqual(['e']);
    expect(rangeOf(pages, 'deleted', 'b')).toEqual(['b']);
    expect(rangeOf(pages, undefined, 'c')).toEqual(['c']);
  });

  test('an item is found where it has moved to', () => {
    const idAt = (index: number) => ['new', 'a', 'b', 'd'][index];
    expect(presentIndex({ index: 0, id: 'a' }, idAt)).toBe(1);
    expect(presentIndex({ index: 3, id: 'b' }, idAt)).toBe(2);
    expect(presentIndex({ index: 3, id: 'd' }, idAt)).toBe(3);
    expect(presentIndex({ index: 2, id: 'deleted' }, idAt)).toBeUndefined();
    expect(presentIndex({ index: 7, id: 'not loaded' }, idAt)).toBe(7);
    expect(presentIndex({ index: 1, id: undefined }, idAt)).toBe(1);
  });
});
