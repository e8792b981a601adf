import type { OperatedSite } from './dashboard-api.ts';

const storageName = 'gatehouse-site';

/** The site that was last opened in this browser, or else the first one. */
export function lastSite(sites: readonly OperatedSite[]): OperatedSite | undefined {
  const id = localStorage.getItem(storageName);
  return sites.find((site) => site.id === id) ?? sites[0];
}

export function saveLastSite(site: OperatedSite): void {
  localStorage.setItem(storageName, site.id);
}
