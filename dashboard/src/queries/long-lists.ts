interface List {
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
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
export function retryLoading({ isFetchNextPageError, fetchNextPage, refetch }: List): void {
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
