import { useSavedSite } from '../../queries/saved-site.ts';

/** The domains of the hosts that have pages, the primary one first. */
export function useHosts(): string[] {
  const { data } = useSavedSite();
  return data?.data.hosts.filter(({ redirect }) => !redirect).map(({ domain }) => domain) ?? [];
}
