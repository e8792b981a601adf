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

/** Whether a list is short enough to be refetched automatically. */
export function isShort({ state }: ListQuery): boolean {
  const { pages = [] } = (state.data ?? {}) as { pages?: unknown[] };
  return pages.length <= maxPages;
}
