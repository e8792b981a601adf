import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { dashboardApi, isSignedOut, type Me } from './dashboard-api.ts';
import { announceSignIn, whileSignedIn } from './signed-out.ts';

/** Who is signed in, and the sites that the operator runs. Asked again now and then, as the service may be a newer one. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ client, queryKey }) =>
    client.getQueryData(queryKey) ? whileSignedIn(dashboardApi.me) : firstLook(),
  staleTime: 60_000,
  refetchInterval: 5 * 60_000,
});

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Where operators sign in; afterwards they come to `next`, a path. */
export function loginAddress(next: string): string {
  return `/dashboard/login?${new URLSearchParams({ next })}`;
}

/** Ends this session, or all of the operator's, and goes to where operators sign in. */
export async function signOut(everywhere: boolean): Promise<void> {
  if (everywhere) await whileSignedIn(() => dashboardApi.signOut(true));
  else await dashboardApi.signOut(false).catch(unlessSignedOut);
  location.assign('/dashboard/login');
}

function unlessSignedOut(error: unknown): void {
  if (!isSignedOut(error)) throw error;
}

/** Before there is a page that could be lost, whoever is not signed in goes to sign in. */
async function firstLook(): Promise<Me> {
  try {
    const me = await dashboardApi.me();
    announceSignIn();
    return me;
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    location.replace(loginAddress(location.pathname + location.search));
    return new Promise(() => {});
  }
}
