import { retryLoading } from '../../queries/long-lists.ts';
import { RowsSkeleton } from '../layout/skeletons.tsx';
import { ErrorNote } from './error-note.tsx';
import { LoadMore } from './load-more.tsx';

interface QueryStateProps {
  query: Query & Partial<LongList>;
  /** How many rows the placeholder has. */
  rows?: number;
}

interface Query {
  readonly data: unknown;
  readonly error: Error | null;
  refetch(): unknown;
}

/** What a list has that is loaded page by page. */
interface LongList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/** What a query has not loaded: a placeholder meanwhile, why it failed, or the next page. */
export function QueryState({ query, rows }: QueryStateProps) {
  const { data, error, hasNextPage, isFetchingNextPage = false, fetchNextPage } = query;
  if (error) return <ErrorNote error={error} retry={() => retryLoading(query)} />;
  if (data === undefined) return <RowsSkeleton {...(rows !== undefined && { rows })} />;
  return hasNextPage && fetchNextPage && <LoadMore loading={isFetchingNextPage} load={fetchNextPage} />;
}
