import { useQuery } from '@tanstack/react-query';
import { useGatehouse } from '../session/site.ts';
import { useSiteKeys } from './keys.ts';

const refetchMilliseconds = 60_000;

/** Whether emails are not sent because no mail server is connected. They wait until there is one. */
export function useEmailWaits(): boolean {
  return useOverview().data?.setUp.email === false;
}

/** The overview of the site, in days of the viewer's time zone. */
export function useOverview() {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: keys.overview,
    queryFn: ({ signal }) =>
      gatehouse.site.overview({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }, { signal }),
    refetchInterval: refetchMilliseconds,
  });
}
