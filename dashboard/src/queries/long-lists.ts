import type { Pagination } from '@gatehouse/client';

interface List {
  readonly refetch: () => unknown;
  readonly isFetchNextPageError?: boolean;
  readonly fetchNextPage?: () => unknown;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: Pagination;
}

interface ListQuery {
  state: { data?: unknown; isInvalidated: boolean };
}

/** The maximum number of pages that are refetched automatically. */
const maxPages = 3;

/**
 * Options for a list that grows page by page. A refetch takes one request per loaded page, sequentially, so a long
 * list is refetched only after a change.
 */
export const refetchedWhileShort = {
  refetchOnWindowFocus: isShort,
  refetchOnReconnect: isShort,
  refetchOnMount: (query: ListQuery) => isShort(query) || query.state.isInvalidated,
};

/** Options for a list of the API, whose pages follow each other by their cursors. */
export const pageByPage = {
  ...refetchedWhileShort,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: <Some extends Pick<Page<unknown>, 'pagination'>>({ pagination }: Some) =>
    pagination.nextCursor ?? undefined,
};

/** The items of all pages. */
export function itemsOf<Item>({ pages }: { readonly pages: readonly Page<Item>[] }): Item[] {
  return pages.flatMap(({ data }) => data);
}

/** From here on a reader has scrolled into a list: rows that are added at its top would move what is being read. */
const topPixels = 100;

/** Whether the reader of the page is at its top. */
export function isAtTop(): boolean {
  return window.scrollY < topPixels;
}

/** Calls back when `isAtTop` may have changed. */
export function subscribeToScrolling(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Repeats what has failed: loading the next page, or the list. */
export function retryLoading({ refetch, isFetchNextPageError = false, fetchNextPage = refetch }: List): void {
  void (isFetchNextPageError ? fetchNextPage() : refetch());
}

/** Leaves out the later pages of a list, which would each be fetched again. */
export function firstPageOf<Data>(data: Data): Data {
  const { pages, pageParams } = (data ?? {}) as { pages?: unknown[]; pageParams?: unknown[] };
  if (!pages || !pageParams || pages.length < 2) return data;
  return { ...data, pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** Whether a list is short enough to be refetched automatically. */
export function isShort({ state }: ListQuery): boolean {
  const { pages = [] } = (state.data ?? {}) as { pages?: unknown[] };
  return pages.length <= maxPages;
}
