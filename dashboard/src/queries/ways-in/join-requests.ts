import type { DecideJoinRequests, JoinRequest, JoinRequestDecision } from '@gatehouse/client';
import { maxBulkMembers } from '@gatehouse/contract/limits';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { knownTimeZone } from '../../format/time-zone.ts';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { useGatehouse } from '../../session/site.ts';
import { siteSession } from '../../session/site-session.ts';
import { siteKeys } from '../keys.ts';
import { itemsOf, pageByPage } from '../long-lists.ts';
import { useSiteApi } from '../site-api.ts';

const pageSize = 50;

/** The requests to join with a status, newest first, page by page. */
export function useJoinRequests(status: JoinRequest['status']) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.joinRequests.list(status),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.joinRequests.list({ status, after: pageParam, limit: pageSize }, { signal }).page(),
    select: itemsOf<JoinRequest>,
  });
}

/** How many requests wait for a decision; undefined if that is not known, and outside of a site. */
export function usePendingJoinRequests(site: OperatedSite | undefined, may: boolean): number | undefined {
  const timeZone = knownTimeZone(site?.timeZone ?? 'UTC');
  // The same data as that of `useOverview`, which can be used only on the pages of the site.
  const { data } = useQuery({
    queryKey: siteKeys(site?.id).overviewOf(timeZone, undefined),
    queryFn: ({ signal }) => siteSession(site!).gatehouse.overview.get({ timeZone }, { signal }),
    enabled: may && site !== undefined,
  });
  return data?.pendingJoinRequests ?? undefined;
}

/** Decides any number of requests. */
export function useDecideJoinRequests(): (decision: DecideJoinRequests) => Promise<JoinRequestDecision[]> {
  const { joinRequests } = useGatehouse();
  return async (decision) => {
    const results: JoinRequestDecision[] = [];
    for (let at = 0; at < decision.joinRequestIds.length; at += maxBulkMembers) {
      const joinRequestIds = decision.joinRequestIds.slice(at, at + maxBulkMembers);
      const { data } = await joinRequests.decide({ ...decision, joinRequestIds });
      results.push(...data);
    }
    return results;
  };
}
