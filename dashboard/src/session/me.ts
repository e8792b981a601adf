import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { accountKeys } from '../queries/keys.ts';
import { dashboardApi, isLoggedOut, type Me } from './dashboard-api.ts';
import { announceLogin, whileLoggedIn } from './logged-out.ts';

/**
 * The operator who is logged in, and the operator's sites. Refetched regularly, to notice a new version of the
 * server.
 */
export const meQuery = queryOptions({
  queryKey: accountKeys.all,
  queryFn: ({ client, queryKey }) =>
    client.getQueryData(queryKey) ? whileLoggedIn(dashboardApi.me) : fetchMeFirst(),
  staleTime: 60_000,
  refetchInterval: 5 * 60_000,
});

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** The URL of the login page, which leads to the path `next` afterwards. */
export function loginAddress(next: string): string {
  return `/dashboard/login?${new URLSearchParams({ next })}`;
}

/** Ends this session, or all sessions of the operator, and opens the login page. */
export async function logOut(everywhere: boolean): Promise<void> {
  if (everywhere) await whileLoggedIn(() => dashboardApi.logOut(true));
  else await dashboardApi.logOut(false).catch(unlessLoggedOut);
  location.assign('/dashboard/login');
}

function unlessLoggedOut(error: unknown): void {
  if (!isLoggedOut(error)) throw error;
}

/** On the first load there is no input to lose, so operators who are not logged in go to the login page. */
async function fetchMeFirst(): Promise<Me> {
  try {
    const me = await dashboardApi.me();
    announceLogin();
    return me;
  } catch (error) {
    if (!isLoggedOut(error)) throw error;
    location.replace(loginAddress(location.pathname + location.search));
    return new Promise(() => {});
  }
}
