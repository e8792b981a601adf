import type { GetOverview } from '@gatehouse/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSite } from '../session/site.ts';
import { useSiteApi } from './site-api.ts';

const refetchMilliseconds = 60_000;

/** Whether emails are not sent because no mail server is connected. They wait until there is one. */
export function useEmailWaits(): boolean {
  return useOverview().data?.setUp.email === false;
}

/**
 * The overview of the site, in its days.
 * @param days how many it covers; as many as by default if it is left out
 */
export function useOverview(days?: GetOverview['days']) {
  const { gatehouse, keys } = useSiteApi();
  const { timeZone } = useSite();
  return useQuery({
    queryKey: keys.overviewOf(timeZone, days),
    queryFn: ({ signal }) => gatehouse.overview.get({ timeZone, days }, { signal }),
    refetchInterval: refetchMilliseconds,
    // Another number of days takes the place of what is shown once it is there.
    placeholderData: keepPreviousData,
  });
}
