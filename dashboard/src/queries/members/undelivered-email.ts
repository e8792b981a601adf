import type { Email } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../session/site.ts';
import { useSiteApi } from '../site-api.ts';

/** An email that could not be delivered, after which none was. */
export interface UndeliveredEmail {
  readonly email: Email;
  /** Whether a newer one is waiting to be sent. */
  readonly isNewerWaiting: boolean;
  /** Whether it went to a former email address of the member. */
  readonly isCorrected: boolean;
}

/** More may be waiting or not sent without saying whether emails arrive. */
const newestEmails = 10;
const waitingMilliseconds = 10_000;

/** The last email to a member, if it could not be delivered. Loaded again while a newer one waits. */
export function useUndeliveredEmail(memberId: string, address: string): UndeliveredEmail | undefined {
  const { gatehouse, keys } = useSiteApi();
  const { data } = useQuery({
    queryKey: keys.emails.ofMember(memberId),
    queryFn: async ({ signal }) =>
      (await gatehouse.emails.list({ memberId, limit: newestEmails }, { signal }).page()).data,
    enabled: useMay('emails:read'),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting') ? waitingMilliseconds : false,
  });
  return data && readUndelivered(data, address);
}

/** They go to a new or former email address, and do not show whether the member can be reached. */
const otherAddressTypes: readonly string[] = ['address_code', 'address_changed'];

/**
 * @param emails to a member, newest first
 * @param address the email address that the member has now
 */
export function readUndelivered(emails: readonly Email[], address: string): UndeliveredEmail | undefined {
  const toMember = emails.filter(
    ({ type, recipient }) => recipient === address || !otherAddressTypes.includes(type),
  );
  const email = toMember.find(({ status }) => status === 'sent' || status === 'failed');
  if (email?.status !== 'failed') return undefined;
  return {
    email,
    isNewerWaiting: toMember[0]!.status === 'waiting',
    isCorrected: email.recipient !== address,
  };
}
