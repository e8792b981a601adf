import { useQuery } from '@tanstack/react-query';
import { replyOf } from '../../../components/emails/server-reply.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useMay } from '../../../session/site.ts';

/** Enough to find one that was tried before. */
const readEmails = 50;

/** Why emails that wait were not sent at once, in the words of the mail server; undefined if they are only on their way. */
export function useDelay(isWaiting: boolean): string | undefined {
  const { gatehouse, keys } = useSiteApi();
  const mayRead = useMay('emails:read');
  const { data } = useQuery({
    queryKey: keys.emails.delay,
    queryFn: async ({ signal }) => {
      const filter = { status: 'waiting', limit: readEmails } as const;
      const { data } = await gatehouse.emails.list(filter, { signal }).page();
      const tried = data.find(({ lastError }) => lastError !== null);
      return tried ? replyOf(tried) : null;
    },
    enabled: isWaiting && mayRead,
  });
  return (isWaiting && data) || undefined;
}
