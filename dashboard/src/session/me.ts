import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { dashboardApi, type Me } from './dashboard-api.ts';
import { whileSignedIn } from './signed-out.ts';

/** Who is signed in, and the sites that the operator runs. Asked again now and then, as the service may be a newer one. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => whileSignedIn(dashboardApi.me),
  staleTime: 60_000,
  refetchInterval: 5 * 60_000,
});

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}
