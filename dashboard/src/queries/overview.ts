import { useQuery } from '@tanstack/react-query';
import { useSite } from '../session/site.ts';
import { useSiteApi } from './site-api.ts';

const refetchMilliseconds = 60_000;

/** Whether emails are not sent because no mail server is connected. They wait until there is one. */
export function useEmailWaits(): boolean {
  return useOverview().data?.setUp.email === false;
}

/** The overview of the site, in its days. */
export function useOverview() {
  const { gatehouse, keys } = useSiteApi();
  const { timeZone } = useSite();
  return useQuery({
    queryKey: keys.overviewIn(timeZone),
    queryFn: ({ signal }) => gatehouse.overview.get({ timeZone }, { signal }),
    refetchInterval: refetchMilliseconds,
  });
}
