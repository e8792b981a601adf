import { useQuery } from '@tanstack/react-query';
import { useGatehouse, useSite } from '../session/site.ts';

const refetchMilliseconds = 60_000;

/** Whether no mail leaves, as the service has no mail server: what is sent waits. */
export function useMailWaits(): boolean {
  return useOverview().data?.setUp.mail === false;
}

/** The site at a glance, in days of the viewer's zone. */
export function useOverview() {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: [site.id, 'overview'],
    queryFn: ({ signal }) =>
      gatehouse.site.overview({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }, { signal }),
    refetchInterval: refetchMilliseconds,
  });
}
