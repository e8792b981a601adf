import type { Gatehouse, Permission } from '@gatehouse/client';
import { createContext, use, useSyncExternalStore } from 'react';
import type { OperatedSite } from './dashboard-api.ts';
import type { SiteSession } from './site-session.ts';

/** The site in the URL. */
export const SiteContext = createContext<{ site: OperatedSite; session: SiteSession } | undefined>(undefined);

/** The site of the page, with the operator's role. Query keys begin with its `id`. */
export function useSite(): OperatedSite {
  return useShown().site;
}

/** The API client of the site, with the operator's permissions. */
export function useGatehouse(): Gatehouse {
  return useShown().session.gatehouse;
}

/**
 * Whether the operator's role has all of the permissions, which are those of the operation in the contract. It only
 * controls what is shown; the server checks each request.
 */
export function useMay(...required: readonly Permission[]): boolean {
  const permissions = usePermissionsOfSite();
  return required.every((permission) => permissions.includes(permission));
}

/** All permissions of the operator on the site. */
export function usePermissionsOfSite(): readonly Permission[] {
  const { session } = useShown();
  return useSyncExternalStore(session.subscribe, () => session.permissions);
}

/** The session of the operator on the site. */
export function useSiteSession(): SiteSession {
  return useShown().session;
}

function useShown() {
  const shown = use(SiteContext);
  if (!shown) throw new Error('This hook can be used only on pages of a site.');
  return shown;
}
