import type { Mail } from '@gatehouse/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isShort, refetchedWhileShort } from '../../parts/long-lists.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import type { MailsSearch } from './mails-search.ts';

const pageSize = 50;
const waitingMilliseconds = 10_000;

/** The mails that match, newest first, page after page. While one waits they are looked at again and again. */
export function useMails({ state, memberId }: MailsSearch) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: [site.id, 'mails', 'list', state, memberId],
    queryFn: ({ pageParam, signal }) =>
      gatehouse.mails.list({ state, memberId, after: pageParam, limit: pageSize }, { signal }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    refetchInterval: (query) => {
      const waits = query.state.data?.pages[0]?.data.some((mail) => mail.state === 'waiting');
      return waits && isShort(query) ? waitingMilliseconds : false;
    },
    select: ({ pages }): Mail[] => pages.flatMap(({ data }) => data),
  });
}

export function useMail(id: string) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: [site.id, 'mails', 'one', id],
    queryFn: ({ signal }) => gatehouse.mails.get(id, { signal }),
  });
}
