import { useParams } from '@tanstack/react-router';
import type { OperatedSite } from './dashboard-api.ts';
import { useMe } from './me.ts';

const storageName = 'gatehouse-site';

/** The site that was last opened in this browser, or else the first one. */
export function lastSite(sites: readonly OperatedSite[]): OperatedSite | undefined {
  const id = localStorage.getItem(storageName);
  return sites.find((site) => site.id === id) ?? sites[0];
}

export function saveLastSite(site: OperatedSite): void {
  localStorage.setItem(storageName, site.id);
}

/** The site of the frame around the page: that of the URL; on pages of the account, the one that was opened last. */
export function useFramedSite(): OperatedSite | undefined {
  const { sites } = useMe();
  const { site: slug } = useParams({ strict: false });
  return slug === undefined ? lastSite(sites) : sites.find((site) => site.slug === slug);
}
