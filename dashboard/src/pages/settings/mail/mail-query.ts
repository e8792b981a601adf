import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSiteApi } from '../../../queries/site-api.ts';
import { dashboardApi } from '../../../session/dashboard-api.ts';
import { useSite } from '../../../session/site.ts';

const waitingMilliseconds = 2_000;

/** The mail server, and how it has worked for the site. */
export function useMailServer() {
  const { keys } = useSiteApi();
  const { id } = useSite();
  return useQuery({ queryKey: keys.mailServer, queryFn: () => dashboardApi.mailServer(id) });
}

/** Sends a test email, and follows it until it was sent or has failed. */
export function useTestEmail() {
  const { gatehouse, keys, client } = useSiteApi();
  const { id } = useSite();
  const sending = useMutation({ mutationFn: () => dashboardApi.sendTestEmail(id) });
  const emailId = sending.data?.emailId;
  const following = useQuery({
    queryKey: keys.emails.one(emailId),
    queryFn: ({ signal }) => gatehouse.emails.get(emailId!, { signal }),
    enabled: emailId !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? waitingMilliseconds : false),
  });
  const { status, attempts } = following.data ?? {};
  useEffect(() => {
    if (status !== undefined) void client.invalidateQueries({ queryKey: keys.mailServer });
  }, [status, attempts]);
  return { sending, following };
}
