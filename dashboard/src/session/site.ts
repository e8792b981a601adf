import type { Gatehouse, Permission } from '@gatehouse/client';
import { createContext, use, useSyncExternalStore } from 'react';
import type { OperatedSite } from './dashboard-api.ts';
import type { SiteSession } from './site-session.ts';

/** The site that the address names. */
export const SiteContext = createContext<{ site: OperatedSite; session: SiteSession } | undefined>(undefined);

/** The site of the page, and what the operator is on it. Query keys begin with its `id`. */
export function useSite(): OperatedSite {
  return useShown().site;
}

/** The API of the site, as the operator. */
export function useGatehouse(): Gatehouse {
  return useShown().session.gatehouse;
}

/** Whether the operator's role allows it. It decides what is shown; the service decides what is done. */
export function useMay(permission: Permission): boolean {
  const { session } = useShown();
  const permissions = useSyncExternalStore(session.subscribe, () => session.permissions);
  return permissions.includes(permission);
}

function useShown() {
  const shown = use(SiteContext);
  if (!shown) throw new Error('This part is shown on pages of a site only.');
  return shown;
}
