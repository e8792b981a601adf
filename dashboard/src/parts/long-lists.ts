interface ListQuery {
  state: { data?: unknown; isInvalidated: boolean };
}

/** How many pages of a list are fetched again by themselves. */
const mostPages = 3;

/**
 * Options for a list that grows page by page. To look at it again takes a request for every page that was loaded, one
 * after the other; so once it is long it stays as it is until something is changed.
 */
export const refetchedWhileShort = {
  refetchOnWindowFocus: isShort,
  refetchOnReconnect: isShort,
  refetchOnMount: (query: ListQuery) => isShort(query) || query.state.isInvalidated,
};

/** Whether a list is short enough to be fetched again by itself. */
export function isShort({ state }: ListQuery): boolean {
  const { pages = [] } = (state.data ?? {}) as { pages?: unknown[] };
  return pages.length <= mostPages;
}
