import type { Email } from '@gatehouse/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isShort, itemsOf, pageByPage } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import type { EmailsSearch } from './emails-search.ts';

const pageSize = 50;
const waitingMilliseconds = 10_000;

/** The matching emails, newest first, page by page. They are refetched regularly while one is waiting. */
export function useEmails({ status, memberId }: EmailsSearch) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.emails.list(status, memberId),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.emails.list({ status, memberId, after: pageParam, limit: pageSize }, { signal }).page(),
    refetchInterval: (query) => {
      const waits = query.state.data?.pages[0]?.data.some((email) => email.status === 'waiting');
      return waits && isShort(query) ? waitingMilliseconds : false;
    },
    select: itemsOf<Email>,
  });
}

/** One email with its content; undefined if there is no id. */
export function useEmail(id: string | undefined) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.emails.one(id),
    queryFn: ({ signal }) => gatehouse.emails.get(id!, { signal }),
    enabled: id !== undefined,
  });
}
