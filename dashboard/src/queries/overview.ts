import { useQuery } from '@tanstack/react-query';
import { useGatehouse, useSite } from '../session/site.ts';
import { useSiteKeys } from './keys.ts';

const refetchMilliseconds = 60_000;

/** Whether emails are not sent because no mail server is connected. They wait until there is one. */
export function useEmailWaits(): boolean {
  return useOverview().data?.setUp.email === false;
}

/** The overview of the site, in its days. */
export function useOverview() {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  const { timeZone } = useSite();
  return useQuery({
    queryKey: keys.overviewIn(timeZone),
    queryFn: ({ signal }) => gatehouse.overview.get({ timeZone }, { signal }),
    refetchInterval: refetchMilliseconds,
  });
}
